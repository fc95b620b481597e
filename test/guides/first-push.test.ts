import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LOOPBACK_SETTINGS } from '../../scripts/dev/role-process.ts';
import { newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { createEmptyDatabases } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { testStack } from '../support/stack.ts';
import { commandsFor } from './commands.ts';
import { Terminal } from './terminal.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CHANNELS = [
  'apns',
  'fcm',
  'harmony',
  'honor',
  'huawei',
  'meizu',
  'nativepush',
  'oppo',
  'vivo',
  'webpush',
  'xiaomi',
];
const COMMANDS_MAX = 6;

describe('from a fresh clone to a delivered notification', () => {
  const [start = '', push = '', ...readmeMore] = commandsFor('first-push', 'README.md');
  const quickstart = commandsFor('first-push', 'docs/start/quickstart.md');
  const calls = commandsFor('first-push', 'docs/start/first-notification.md');
  let clone: string;
  let first: Terminal;
  let second: Terminal;

  before(async () => {
    clone = await mkdtemp(join(tmpdir(), 'carillon-clone-'));
    await chmod(clone, 0o711); // so that the user of PostgreSQL can open it, and the demo keeps its data in the clone
    await promisify(execFile)('git', ['clone', '--quiet', root, clone]);
    first = new Terminal(clone);
    second = new Terminal(clone);
  });
  after(async () => {
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await rm(clone, { recursive: true });
  });

  test('the README has few commands, and the quickstart has the same ones', () => {
    const commands = `${start}${push}`.trimEnd().split('\n');
    assert.ok(commands.length <= COMMANDS_MAX, commands.join('\n'));
    assert.deepEqual([quickstart, readmeMore], [[start, push], []]);
    for (const page of ['README.zh.md', 'docs/zh/start/quickstart.md'])
      assert.deepEqual(commandsFor('first-push', page), [start, push]);
    assert.deepEqual(commandsFor('first-push', 'docs/zh/start/first-notification.md'), calls);
  });

  test('the commands deliver a notification to eleven devices', async (context) => {
    const began = performance.now();
    first.type(start);
    await first.until(/Press Ctrl-C to stop everything/, 300);
    assert.doesNotMatch(first.output, /"level":/, 'no role logs before the instructions');
    const watched = await second.run(push);
    const seconds = (performance.now() - began) / 1_000;
    for (const channel of CHANNELS) {
      const received = channel === 'nativepush' ? 1 : 0;
      assert.match(watched, new RegExp(`^${channel}\\b.*\\b1\\b.*\\b1\\b.*\\b${received}$`, 'm'));
    }
    await first.until(/^ada's device received: Hello · One request, every device\.$/m);
    const page = /http:\/\/127\.0\.0\.1:\d+$/m.exec(first.output.slice(first.output.indexOf('View all phones')));
    await eventually(async () => {
      const phones = await (await fetch(page?.[0] as string)).text();
      assert.equal(phones.match(/<h3>Hello<\/h3>/g)?.length, CHANNELS.length);
    });
    context.diagnostic(`${seconds.toFixed(0)} s from the fresh clone to eleven delivered notifications`);
  });

  test('the calls of the guide create a user, a device and a connection, send a notification and show its result', async () => {
    assert.equal(calls.length, 7);
    const [headers = '', user = '', login = '', connect = '', notify = '', result = '', offline = ''] = calls;
    await second.run(headers + user);
    assert.match(await second.run(login), /"push_token": "p[0-9A-Za-z]+"/);
    await second.run(connect);
    // The terminal does not show when a client has connected. A notification that is sent before the client connects
    // waits for it.
    assert.match(await second.run(notify), /"code": 200/);
    await second.until(/"title":"On its way"/);
    const counts = /"nativepush_target": 1,\n\s+"nativepush_sent": 1,\n\s+"nativepush_received": 1/;
    const output = await eventually(async () => {
      const printed = await second.run(result);
      assert.match(printed, counts);
      return printed;
    });
    assert.match(output, /grace-phone/);
    await second.run(offline);
    await second.until(/"title":"See you later"/);
    assert.equal(
      second.output.match(/"title":"On its way"/g)?.length,
      1,
      'the notification is received once, although it was requested twice',
    );
  });

  test('Ctrl-C stops everything and leaves no untracked files', async () => {
    assert.ok(existsSync(join(clone, '.dev.env')));
    await first.interrupt();
    assert.equal(existsSync(join(clone, '.dev.env')), false);
    const { stdout } = await promisify(execFile)('git', ['status', '--porcelain'], { cwd: clone });
    assert.equal(stdout, '');
  });

  test('with existing PostgreSQL and NATS servers: migrate, init, and all roles in one process', async () => {
    await using databases = await createEmptyDatabases();
    await using terminal = new Terminal(clone, {
      ...LOOPBACK_SETTINGS,
      CARILLON_DATABASE_URL: databases.homeUrl,
      CARILLON_NATS_URLS: (await testStack()).natsUrls.join(','),
      CARILLON_NATS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      ...newMasterKeys('first'),
    });
    terminal.type(commandsFor('first-push', 'docs/operate/systemd.md').join(''));
    await terminal.until(/^ca_[0-9A-Za-z]+$/m);
    await terminal.until(/"event":"started"/);
    await terminal.interrupt();
  });
});
