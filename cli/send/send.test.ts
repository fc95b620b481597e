import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { errorResponse, type StubAction, startStubServer, successResponse } from '../../sdk/support/stub-server.ts';
import { environmentFor, run, runOnTerminal } from '../support/run-command.ts';
import { printReach } from './dry-run.ts';
import { toUnixSeconds } from './time.ts';

const sent = successResponse('{"task_id":115258093993985}');

const reachOf = (devices: number, unreachable = 0): StubAction =>
  successResponse(`{"devices":${devices},"first":{},"waiting":0,"unreachable":${unreachable},"cuts":[]}`);

/** Sends a notification. Returns the result and the requests, with a placeholder for generated idempotency keys. */
async function send(args: readonly string[], { answer = sent as StubAction, reach = reachOf(1), input = '' } = {}) {
  await using peer = await startStubServer(({ path }) => (path === '/push/notify' ? answer : reach));
  const ran = await run(['push', 'send', ...args], environmentFor(peer), input);
  const heard = peer.requests.map(
    ({ path, body }) => [path, body.replace(/"cli-[0-9a-f-]{36}"/, '"made-up"')] as const,
  );
  return { ...ran, heard };
}

describe('notifications built from flags', () => {
  test('have an audience, a message and an idempotency key', async () => {
    const { code, stdout, stderr, heard } = await send(['--user-id', '42', '9223372036854775807', '--title', 'Hello']);
    assert.deepEqual([code, stdout, stderr], [0, 'task_id: 115258093993985\n', '']);
    assert.deepEqual(heard[0], [
      '/push/notify',
      '{"audience":{"user_id":[42,9223372036854775807]},"message":{"title":"Hello"},"setting":{"request_id":"made-up"}}',
    ]);
  });

  test('accept every flag', async () => {
    const { heard } = await send(
      '--tag news beta --body b --big-text c --image https://x/y.png --badge +2 --data {"id":9007199254740993} --sound ding --begin 1794700800 --end 1794704400 --request-id r --strategy ospush_only --vendors ups fcm --hold 30'.split(
        ' ',
      ),
    );
    assert.deepEqual(
      heard[0]?.[1],
      [
        '{"audience":{"tag":["news","beta"]}',
        '"message":{"body":"b","big_text":"c","attachment_url":"https://x/y.png","type":"image","badge":"+2","ext":{"id":9007199254740993},"show_begin_time":1794700800,"show_end_time":1794704400,"ios":{"sound":"ding"},"android":{"sound":"ding"}}',
        '"setting":{"request_id":"r","distribution_strategy":"ospush_only","ospush_sequence":["ups","fcm"],"hold_seconds":30}}',
      ].join(','),
    );
  });

  test('combine a file with flags, which take precedence field by field', async () => {
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

  test('accept several time formats, but no time without a zone', () => {
    const now = new Date('2026-11-15T00:00:00.900Z');
    const at = (text: string) => toUnixSeconds('--begin', text, now);
    assert.equal(at('+90m'), 1794700800n + 5_400n);
    assert.equal(at('+2d'), 1794700800n + 172_800n);
    assert.equal(at('1794700800'), 1794700800n);
    assert.equal(at('2026-11-15T01:00+01:00'), 1794700800n);
    for (const text of ['tomorrow', '2026-11-15T01:00', '2026-11-15', '+2w', '-1h'])
      assert.throws(() => at(text), /--begin must be a time such as \+90m/, text);
  });
});

describe('push send: errors and confirmation', () => {
  const refused = async (args: string, stderr: RegExp) => {
    const ran = await send(args.split(' '));
    assert.match(ran.stderr, stderr);
    assert.deepEqual([ran.code, ran.heard], [2, []]);
  };

  test('rejects a missing audience, two audiences and a missing message', async () => {
    await refused(
      '--title x',
      /^error: The audience is missing\. Set --user-id, --alias, --tag, --push-token or --all\.\n$/,
    );
    await refused(
      '--user-id 1 --all --title x',
      /^error: A notification has one audience, not --user-id and --all\. Set only one of them\.\n$/,
    );
    await refused('--user-id 1', /^error: The message is missing\. Set --title, --body/);
    await refused('--user-id ada --title x', /^error: --user-id must be an integer, not "ada"\.\n$/);
    await refused(
      '--user-id 1 --title x --badge many',
      /^error: --badge must be a number such as 3 or \+1, not "many"\.\n$/,
    );
    await refused(
      '--user-id 1 --title x --hold 1m',
      /^error: --hold must be a number of seconds from 0 to 300, not "1m"\.\n$/,
    );
    await refused('--user-id 1 --title x --timeout 9', /^error: --timeout requires --watch\.\n$/);
  });

  test('requires --yes for all devices when not run interactively', async () => {
    await refused(
      '--all --title x',
      /^error: Sending to all devices requires --yes when the command is not run interactively\.\n$/,
    );
    await refused('--request {"audience":"all","message":{"title":"x"}}', /requires --yes/);
    assert.equal((await send(['--all', '--title', 'x', '--yes'])).heard[0]?.[0], '/push/notify');
  });

  test('sends to all devices only after confirmation', async () => {
    const reach = successResponse('{"devices":636,"first":{"apns":636},"waiting":0,"unreachable":0,"cuts":[]}');
    const question = 'Send to all devices of app bells (currently 636)? [y/N] ';
    for (const [type, code, paths] of [
      ['\r', 1, ['/push/validate']],
      ['y\r', 0, ['/push/validate', '/push/notify', '/push/validate']],
    ] as const) {
      await using peer = await startStubServer(({ path }) => (path === '/push/notify' ? sent : reach));
      const ran = await runOnTerminal(['push', 'send', '--all', '--title', 'x'], environmentFor(peer), {
        typed: [{ after: question, type }],
      });
      assert.deepEqual([ran.code, peer.requests.map(({ path }) => path)], [code, paths]);
      assert.match(ran.output, code === 0 ? /carillon task watch 115258093993985/ : /error: Nothing was sent\./);
    }
  });

  test('reports the idempotency key for a safe retry if the response is lost', async () => {
    const { code, stderr } = await send(['--user-id', '1', '--title', 'x', '--request-id', 'r7'], {
      answer: 'hang-up',
    });
    assert.equal(code, 3);
    assert.match(stderr, /may have been sent\. Repeat the command with --request-id r7 to avoid sending it twice\./);
  });
});

describe('a notification without recipients', () => {
  const to = ['--user-id', '7', '--title', 'x'];

  test('exits with 5 and the reason, also with --watch', async () => {
    for (const flags of [[], ['--watch']]) {
      const { code, stdout, stderr } = await send([...to, ...flags], { reach: reachOf(0) });
      assert.deepEqual([code, stdout], [5, 'task_id: 115258093993985\n']);
      assert.equal(
        stderr,
        'The audience contains no devices. `carillon device list --as-user <id>` lists the devices of a user.\n',
      );
    }
    const { code, stderr } = await send(to, { reach: reachOf(2, 2) });
    assert.equal(code, 5);
    assert.match(stderr, /^None of the devices can be reached: they have no vendor token/);
    assert.equal((await send(to, { reach: reachOf(2, 1) })).code, 0);
  });

  test('is not searched for if the notification is sent later or was sent before', async () => {
    const later = await send([...to, '--begin', '+2h'], { reach: reachOf(0) });
    const repeated = { ...sent, headers: { 'carillon-request': 'repeated' } };
    const again = await send([...to, '--request-id', 'r'], { answer: repeated, reach: reachOf(0) });
    for (const { code, heard } of [later, again])
      assert.deepEqual([code, heard.map(([path]) => path)], [0, ['/push/notify']]);
  });

  test('is no reason to fail if the check is rejected', async () => {
    assert.equal((await send(to, { reach: errorResponse(429, 12029, 'Too many requests.') })).code, 0);
  });
});

describe('--dry-run', () => {
  const none = { apns: 0, nativepush: 0, xiaomi: 0 };

  test('prints the reach in sentences and a table', async () => {
    const answer = successResponse(
      '{"devices":1200,"first":{"apns":350,"fcm":0,"nativepush":800},"waiting":500,"unreachable":50,"cuts":[{"channel":"apns","text":"The body is cut after 3000 bytes."}],"demotions":[{"channel":"honor","environment":1,"text":"Honor shows no pictures."}]}',
    );
    const { stdout, heard } = await send(['--all', '--title', 'x', '--dry-run'], { reach: answer });
    assert.equal(
      stdout,
      `The notification would be sent to 1200 devices.

  first channel  devices
  apns               350
  nativepush         800

On the Carillon channel, 500 of them would receive it when they connect.
50 devices cannot be reached: they have no vendor token for a vendor with saved credentials, or --strategy excludes all their channels. \`carillon certificate list\` shows the saved credentials.
Would be cut:
  apns: The body is cut after 3000 bytes.
Would be demoted or capped:
  honor: Honor shows no pictures.
Nothing was sent.
`,
    );
    assert.deepEqual(heard, [['/push/validate', '{"audience":"all","message":{"title":"x"},"setting":{}}']]);
  });

  test('prints previews instead of cuts and demotions', () => {
    const preview = { environment: 1, devices: 0n, title: 'Ding', body: 'dong', dropped: [], notes: [] };
    const lines = printReach(
      {
        devices: 3n,
        first: { nativepush: 1n, flyme: 2n },
        waiting: 0n,
        unreachable: 0n,
        cuts: [{ channel: 'flyme', text: 'The title is cut.' }],
        demotions: [],
        previews: [
          { ...preview, channel: 'nativepush', environment: null, devices: 1n },
          {
            ...preview,
            channel: 'flyme',
            devices: 2n,
            body: `${'x'.repeat(100)}${'y'.repeat(100)}${'z'.repeat(39)}…`,
            dropped: ['android.sound'],
            notes: ['The title is cut.', 'This is a public message.'],
          },
          { ...preview, channel: 'fcm', environment: 0, title: null, body: null },
        ],
        ignored: ['message.colour'],
      },
      80,
    );
    assert.deepEqual(lines.slice(lines.indexOf('Previews:')), [
      'Previews:',
      '  nativepush, first for 1 device',
      '    title: Ding',
      '    body:  dong',
      '  meizu, first for 2 devices',
      '    title:    Ding',
      `    body:     ${'x'.repeat(66)}`,
      `              ${'x'.repeat(34)} [...]`,
      `              ${'z'.repeat(39)}…`,
      '    not sent: android.sound',
      '    note:     The title is cut.',
      '    note:     This is a public message.',
      '  fcm (development), as a fallback',
      'Unknown fields, which are ignored:',
      '  message.colour',
      'Nothing was sent.',
    ]);
  });

  test('fits the terminal and prints lists of sentences that a newer service adds', () => {
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
    assert.match(
      printReach({ devices: 0n, first: {}, waiting: 0n, unreachable: 0n }, 80)[0] as string,
      /contains no devices/,
    );
  });
});
