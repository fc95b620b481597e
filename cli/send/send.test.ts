import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type StubAction, startStubServer, successResponse } from '../../sdk/support/stub-server.ts';
import { environmentFor, run, runOnTerminal } from '../support/run-command.ts';
import { printReach } from './dry-run.ts';
import { toUnixSeconds } from './time.ts';

const sent = successResponse('{"task_id":115258093993985}');

/** Sends a notification. Returns the result and the requests, with a placeholder for generated idempotency keys. */
async function send(args: readonly string[], { answer = sent as StubAction, input = '' } = {}) {
  await using peer = await startStubServer(answer);
  const ran = await run(['push', 'send', ...args], environmentFor(peer), input);
  const heard = peer.requests.map(
    ({ path, body }) => [path, body.replace(/"cli-[0-9a-f-]{36}"/, '"made-up"')] as const,
  );
  return { ...ran, heard };
}

describe('flags become a notification', () => {
  test('an audience and a message, with an ID so that it can be repeated', async () => {
    const { code, stdout, stderr, heard } = await send(['--user-id', '42', '9223372036854775807', '--title', 'Hello']);
    assert.deepEqual([code, stdout, stderr], [0, 'task_id: 115258093993985\n', '']);
    assert.deepEqual(heard, [
      [
        '/push/notify',
        '{"audience":{"user_id":[42,9223372036854775807]},"message":{"title":"Hello"},"setting":{"request_id":"made-up"}}',
      ],
    ]);
  });

  test('everything that a person says at a terminal', async () => {
    const { heard } = await send(
      '--tag news beta --body b --big-text c --image https://x/y.png --badge +2 --data {"id":9007199254740993} --sound ding --begin 1794700800 --end 1794704400 --request-id r --strategy ospush_only --vendors ups fcm'.split(
        ' ',
      ),
    );
    assert.deepEqual(
      heard[0]?.[1],
      [
        '{"audience":{"tag":["news","beta"]}',
        '"message":{"body":"b","big_text":"c","attachment_url":"https://x/y.png","type":"image","badge":"+2","ext":{"id":9007199254740993},"show_begin_time":1794700800,"show_end_time":1794704400,"ios":{"sound":"ding"},"android":{"sound":"ding"}}',
        '"setting":{"request_id":"r","distribution_strategy":"ospush_only","ospush_sequence":["ups","fcm"]}}',
      ].join(','),
    );
  });

  test('a file has the rest, and a flag beats it field by field', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'carillon-send-'));
    const file = join(folder, 'notification.json');
    await writeFile(
      file,
      '{"audience":"all","message":{"title":"old","body":"kept","ios":{"subtitle":"kept"},"vivo":{"classification":1}},"setting":{"request_id":"r"}}',
    );
    const { heard } = await send(['--request', `@${file}`, '--alias', '@-', '--title', 'new', '--sound', 'ding'], {
      input: 'kitchen\nhall\n',
    });
    await rm(folder, { recursive: true });
    assert.deepEqual(
      heard[0]?.[1],
      '{"audience":{"alias":["kitchen","hall"]},"message":{"title":"new","body":"kept","ios":{"subtitle":"kept","sound":"ding"},"vivo":{"classification":1},"android":{"sound":"ding"}},"setting":{"request_id":"r"}}',
    );
  });

  test('times are said as people say them, and never without a zone', () => {
    const now = new Date('2026-11-15T00:00:00.900Z');
    const at = (text: string) => toUnixSeconds('--begin', text, now);
    assert.equal(at('+90m'), 1794700800n + 5_400n);
    assert.equal(at('+2d'), 1794700800n + 172_800n);
    assert.equal(at('1794700800'), 1794700800n);
    assert.equal(at('2026-11-15T01:00+01:00'), 1794700800n);
    for (const text of ['tomorrow', '2026-11-15T01:00', '2026-11-15', '+2w', '-1h'])
      assert.throws(() => at(text), /--begin takes a time such as \+90m/, text);
  });
});

describe('what is not sent', () => {
  const refused = async (args: string, stderr: RegExp) => {
    const ran = await send(args.split(' '));
    assert.match(ran.stderr, stderr);
    assert.deepEqual([ran.code, ran.heard], [2, []]);
  };

  test('what has no audience, two, or no message', async () => {
    await refused('--title x', /^error: Say to whom: --user-id, --alias, --tag, --push-token or --all\.\n$/);
    await refused(
      '--user-id 1 --all --title x',
      /^error: A notification has one audience, not --user-id and --all\.\n$/,
    );
    await refused('--user-id 1', /^error: Say what: --title, --body/);
    await refused('--user-id ada --title x', /^error: --user-id takes an integer, not "ada"\.\n$/);
    await refused(
      '--user-id 1 --title x --badge many',
      /^error: --badge takes a number such as 3, or \+1, not "many"\.\n$/,
    );
  });

  test('what goes to everyone, when nobody can be asked', async () => {
    await refused('--all --title x', /^error: This goes to everyone, and there is nobody to ask: add --yes\.\n$/);
    await refused('--request {"audience":"all","message":{"title":"x"}}', /add --yes/);
    assert.equal((await send(['--all', '--title', 'x', '--yes'])).heard[0]?.[0], '/push/notify');
  });

  test('what goes to everyone, when a person says no; and it is sent when they say yes', async () => {
    const reach = successResponse('{"devices":636,"first":{"apns":636},"waiting":0,"unreachable":0,"cuts":[]}');
    const question = 'This goes to all devices of app bells, 636 at this moment. Send it? [y/N] ';
    for (const [type, code, paths] of [
      ['\r', 1, ['/push/validate']],
      ['y\r', 0, ['/push/validate', '/push/notify']],
    ] as const) {
      await using peer = await startStubServer(({ path }) => (path === '/push/notify' ? sent : reach));
      const ran = await runOnTerminal(['push', 'send', '--all', '--title', 'x'], environmentFor(peer), {
        typed: [{ after: question, type }],
      });
      assert.deepEqual([ran.code, peer.requests.map(({ path }) => path)], [code, paths]);
      assert.match(ran.output, code === 0 ? /carillon task watch 115258093993985/ : /error: Nothing was sent\./);
    }
  });

  test('what may have been sent is told with what makes it safe to send again', async () => {
    const { code, stderr } = await send(['--user-id', '1', '--title', 'x', '--request-id', 'r7'], {
      answer: 'hang-up',
    });
    assert.equal(code, 3);
    assert.match(stderr, /It may have been sent\. Sent again with --request-id r7, it goes out once\./);
  });
});

describe('--dry-run', () => {
  const none = { apns: 0, nativepush: 0, xiaomi: 0 };

  test('asks what it would reach, and says it in words and a table', async () => {
    const answer = successResponse(
      '{"devices":1200,"first":{"apns":350,"fcm":0,"nativepush":800},"waiting":500,"unreachable":50,"cuts":[{"channel":"apns","text":"The body is cut after 3000 bytes."}],"demotions":[{"channel":"honor","environment":1,"text":"Honor shows no pictures."}]}',
    );
    const { stdout, heard } = await send(['--all', '--title', 'x', '--dry-run'], { answer });
    assert.equal(
      stdout,
      `It would go to 1200 devices.

  first tried on  devices
  apns                350
  nativepush          800

Of those on the own channel, 500 would have it waiting until they connect.
50 devices cannot be reached: no vendor with a certificate knows them, or --strategy leaves no way. \`carillon certificate list\` shows what there is.
Would be cut:
  apns: The body is cut after 3000 bytes.
Would be demoted or capped:
  honor: Honor shows no pictures.
Nothing was sent.
`,
    );
    assert.deepEqual(heard, [['/push/validate', '{"audience":"all","message":{"title":"x"},"setting":{}}']]);
  });

  test('fits the terminal, and prints any list of sentences that a newer service has', () => {
    const bigints = Object.fromEntries(Object.keys(none).map((channel) => [channel, 1n]));
    const reach = {
      devices: 3n,
      first: bigints,
      waiting: 0n,
      unreachable: 1n,
      hints: [{ channel: 'vivo', text: 'w '.repeat(60) }],
    };
    const lines = printReach(reach, 80);
    assert.ok(
      lines.every((line) => line.length <= 80),
      lines.join('\n'),
    );
    assert.ok(lines.includes('hints:'));
    assert.match(printReach({ devices: 0n, first: {}, waiting: 0n, unreachable: 0n }, 80)[0] as string, /reach nobody/);
  });
});
