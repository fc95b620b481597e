import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connectMqttDevice } from '../../scripts/dev/mqtt-device.ts';
import type { Demo } from '../../scripts/dev/show-demo.ts';
import { eventually } from '../support/eventually.ts';
import { commandsFor } from './commands.ts';
import { createCheckout, startDemo } from './demo.ts';
import { Terminal } from './terminal.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COMMANDS_MAX = 6;

/** The expected output of a block. */
interface Expected {
  readonly output: RegExp;
  /** The block only reads, and its result appears after some time. It is repeated until the output matches. */
  readonly delayed?: true;
}

const setUp: Expected = { output: /^$/ };
const NO_SCOPE =
  /"The caller does not have permission for this request\. This admin token does not have the scope `manage`\."/;
const INVALID_TOKEN =
  /The notification waits in the device's inbox until \S+, because the device was not connected and FCM reported the vendor token as invalid \(UNREGISTERED\)\. The device receives the notification when it connects\. The device last connected or logged in on [\d-]+\./;

const pages: Readonly<Record<string, readonly Expected[]>> = {
  'docs/backend/authentication.md': [
    setUp,
    { output: new RegExp(`"token_id": \\d+,\\n\\s+"expire": \\d{13}\\n\\}\\n${NO_SCOPE.source}\\n$`) },
    {
      output:
        /^\{"code":200,"data":\{"user_id":4711\},"message":null\}\n\{\n\s+"user_id": 4711,\n\s+"token": "cu_\w+",\n\s+"push_token": "p\w+",\n\s+"expire": \d{13}\n\}\n$/,
    },
    { output: /^\{\n\s+"user_id": 100001,\n\s+"token": "cu_\w+"\n\}\n$/ },
    { output: /^\{"device_guid":"phone-1","online":false\}\n$/ },
    { output: /^\{"code":200,"data":\{\},"message":null\}\n$/ },
  ],
  'docs/backend/audiences.md': [
    setUp,
    { output: /^\{"tags":\["news"\]\}\n\{"alias":"kitchen-1"\}\n200\n$/ },
    { output: /"devices": 1,\n\s+"first": \{\n\s+"apns": 0,\n\s+"fcm": 1,[\s\S]+"waiting": 0,\n\s+"unreachable": 0\n/ },
    { output: /^\{"devices":1,"title":"Hello","body":"Nine bells\.","dropped":\[\],"notes":\[\]\}\n$/ },
    { output: /^The notification would be sent to 1 device\.\n[\s\S]+^ +fcm +1$[\s\S]+^Nothing was sent\.$/m },
    { output: /^\{"code":200,"data":\{\},"message":null\}\n10\n$/ },
  ],
  'docs/backend/schedule-expire-cancel.md': [
    setUp,
    { output: /"state": "held",\n\s+"due_at": \d{13},\n\s+"end_at": \d{13}\n/ },
    { output: /^task_id: \d+$/m },
    { output: /^\{"finished":false,"sent":0\}\n$/ },
    { output: /^\{"task_id":\d+,"finished":false,"sent":0\}\ncancelled\n$/ },
  ],
  'docs/backend/approval.md': [
    setUp,
    { output: /^5\n$/ },
    { output: /"state": "open",[\s\S]+"needs_approval": true,\n\s+"task_id": null\n/ },
    {
      output: /^12013 This draft needs the approval of another token\. Ask another admin of the app to approve it\.\n$/,
    },
    { output: /^\{"state":"approved","decided_by":"grace"\}\n0\n$/ },
    { output: /^null\n$/ },
  ],
  'docs/backend/statistics.md': [
    setUp,
    { output: /^nativepush: target 1, sent 1, received 1$[\s\S]+^task \d+: finished; 11 sent, 1 received$/m },
    {
      output:
        /"apns_sent": 1,\n\s+"apns_target": 1,\n[\s\S]+"nativepush_sent": 1,\n\s+"nativepush_received": 1,\n\s+"nativepush_target": 1,\n/,
    },
    { output: /"state": "finished",\n\s+"author": "admin",\n\s+"audience": "user_id"\n/ },
    { output: /^\{\n(\s+"\w+_(target|sent|received)": [1-9]\d*,?\n){19,}\}\n$/ },
    {
      output:
        /"target": 1,\n\s+"sent": 1,\n\s+"received": 1,\n\s+"clicked": 0,\n\s+"recalled": 0,\n\s+"recall_failed": 0,\n/,
    },
  ],
  'docs/backend/debug-a-notification.md': [
    setUp,
    { output: /^200\n$/ },
    {
      output: new RegExp(
        `^lost-phone-\\d+ \\(p\\w+\\): open\\n +${INVALID_TOKEN.source}\\n[\\s\\S]+ fcm +FCM reported the vendor token as invalid: UNREGISTERED\\.\\n`,
        'm',
      ),
      delayed: true,
    },
    {
      output: new RegExp(
        `"state": "open",\\n\\s+"why": "${INVALID_TOKEN.source}",\\n\\s+"said": \\[\\s+"token-dead",\\s+"in-inbox"\\s+\\]`,
      ),
    },
    {
      output:
        /^\{"device_guid":"lost-phone-\d+","online":false,"seen_on":"[\d-]+","bindings":\[\],"state":null\}\n\{"devices":1,"waiting":1,"unreachable":0\}\n$/,
    },
  ],
  // The last page, because its checks limit the number of requests per second.
  'docs/backend/idempotency.md': [
    setUp,
    {
      output: /^(\d+)\ncarillon-request: repeated\r?\n\{"code":200,"data":\{"task_id":\1\},"message":null\}\n*$/,
    },
    { output: /^\{"code":200,"data":\{"task_id":\d+\},"message":null\}\n$/ },
  ],
};

describe('commands of the backend guides with npm run dev', () => {
  const parts = new AsyncDisposableStack();
  let directory: string;

  before(async () => {
    const demo = parts.use(await startDemo()).facts;
    parts.use(await connectMqttDevice(demo, demo.mqtt_url, demo.users[0] as Demo['users'][number], () => undefined));
    ({ directory } = parts.use(await createCheckout(demo)));
  });
  after(() => parts.disposeAsync());

  for (const [page, expected] of Object.entries(pages))
    test(page, async () => {
      const blocks = commandsFor('backend', page);
      assert.equal(blocks.length, expected.length, 'each block has an expected output');
      assert.ok(blocks.length <= COMMANDS_MAX);
      await using terminal = new Terminal(directory);
      for (const [i, block] of blocks.entries()) await runBlock(terminal, block, expected[i] as Expected);
      await moreChecks[page]?.(terminal);
    });
});

// npm run dev keeps its data, so a key of an earlier page would make the notification of a later page a repetition.
test('pages that are read one after the other use different idempotency keys', () => {
  const first = commandsFor('first-push', 'docs/start/first-notification.md');
  const commands = [...first, ...Object.keys(pages).flatMap((page) => commandsFor('backend', page))].join('');
  const examples = ['sdk/README.md', 'docs/reference/http/push.md']
    .map((page) => readFileSync(join(root, page), 'utf8'))
    .join(commands);
  const keys = [...examples.matchAll(/request_id"?: ["']([^"]+?)["']/g)].map(([, key]) => key as string);
  assert.ok(keys.length >= 5);
  assert.deepEqual(keys, [...new Set(keys)]);
});

async function runBlock(terminal: Terminal, block: string, { output, delayed }: Expected): Promise<void> {
  const matches = async () => assert.match(withoutWarnings(await terminal.run(block)), output, block);
  await (delayed ? eventually(matches) : matches());
}

/** Removes the lines that npm prints about the configuration of the machine. */
const withoutWarnings = (output: string): string => output.replaceAll(/^npm warn .*\n/gm, '');

/** Statements of a page about the results of its commands. They use the variables of the page. */
const moreChecks: Readonly<Record<string, (terminal: Terminal) => Promise<void>>> = {
  'docs/backend/authentication.md': async (terminal) => {
    const revoked = `call /push/task/list '{}' "$backend_token" | jq .code`;
    await eventually(async () => assert.equal(await terminal.run(revoked), '10008\n'), 5);
    assert.equal(await terminal.run(`call /admin/user/create '{"user_id": 4711}' | jq .code`), '10004\n');
  },
  'docs/backend/schedule-expire-cancel.md': async (terminal) => {
    const times = await terminal.run('echo $((begin % 86400)) $((end - begin))');
    assert.equal(times, '3600 10800\n', '9:00 in Shanghai is 1:00 UTC');
  },
  'docs/backend/idempotency.md': async (terminal) => {
    const other = `call /push/notify "$(sed s/way/desk/ <<<"$notification")" --include | grep carillon-request`;
    assert.match(await terminal.run(other), /^carillon-request: repeated; other-body\r?\n$/);
    await terminal.run(`call /admin/app/update '{"notify_per_second": 1}' | jq .code`);
    const retry = commandsFor('backend', 'docs/backend/idempotency.md').at(-1) as string;
    const retried = /^\{"code":12029,.+\}\n(?:\{"code":12029,.+\}\n)*\{"code":200,.+\}\n$/m;
    await eventually(async () => assert.match(await terminal.run(retry + retry), retried));
  },
  'docs/backend/debug-a-notification.md': async () => {
    const page = readFileSync(join(root, 'docs/backend/debug-a-notification.md'), 'utf8');
    const quoted = [...page.matchAll(/^\| "([^"|]+)" \|/gm)].map(([, words]) => words as string);
    assert.ok(quoted.length >= 20);
    const texts = readFileSync(join(root, 'src/domain/trace/texts-en.ts'), 'utf8');
    assert.deepEqual(
      quoted.filter((words) => !texts.includes(words)),
      [],
      'the page quotes the sentences of the trace exactly',
    );
  },
};
