import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { openStack, type Stack, startStack } from '../../scripts/stack/stack.ts';
import { readState } from '../../scripts/stack/state.ts';
import { createMigratedDatabases, createTemplates } from './databases.ts';
import { testStack } from './stack.ts';

const command = fileURLToPath(new URL('../../scripts/stack.ts', import.meta.url));
const library = new URL('../../scripts/stack/stack.ts', import.meta.url).href;
const run = promisify(execFile);

describe('a running stack', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack({ natsNodes: 3 });
  });
  after(() => stack.stop());

  test('runs PostgreSQL 15 or newer with fsync, reachable only over the loopback interface', async () => {
    const url = stack.databaseUrl('postgres');
    assert.ok(Number(await ask(url, 'show server_version_num')) >= 150_000);
    assert.equal(await ask(url, 'show fsync'), 'on');
    assert.equal(await ask(url, 'show listen_addresses'), '127.0.0.1');
    assert.equal(await ask(url, 'show unix_socket_directories'), '');
    const withoutPassword = new URL(url);
    withoutPassword.password = 'wrong';
    await assert.rejects(ask(withoutPassword.href, 'select 1'), /password authentication failed/);
  });

  test('delivers a message from one NATS node to another', async () => {
    assert.equal(await publishAndReceive(stack.natsUrls[0], stack.natsUrls[2], 'hello'), 'hello');
  });

  test('keeps committed data when PostgreSQL is killed', async () => {
    const url = stack.databaseUrl('postgres');
    await ask(url, 'create table kept as select 42 as answer');
    // A busy backend keeps running after the main process of its server was killed.
    const busy = ask(url, 'select count(*) from generate_series(1, 1e12)').catch((error: unknown) => error);
    const isBusy = "select count(*) from pg_stat_activity where state = 'active' and query like '%1e12)'";
    await until(async () => (await ask(url, isBusy)) === '1');

    await stack.kill('postgres');
    assert.ok((await busy) instanceof Error);
    assert.deepEqual(processesWith(join(stack.directory, 'postgres'), stackName(stack)), []);
    await assert.rejects(ask(url, 'select 1'), { code: 'ECONNREFUSED' });

    await stack.start('postgres');
    assert.equal(await ask(url, 'select answer from kept'), '42');
  });

  test('restarts a killed NATS node on the same port and in the same cluster', async () => {
    await stack.kill('nats-2');
    await assert.rejects(connect({ servers: stack.natsUrls[1] ?? '', reconnect: false }), /refused|reset/i);
    assert.equal(await publishAndReceive(stack.natsUrls[0], stack.natsUrls[2], 'without two'), 'without two');

    await stack.start('nats-2');
    assert.equal(await publishAndReceive(stack.natsUrls[1], stack.natsUrls[0], 'with two'), 'with two');
  });

  test('does not start a part again while another process uses its port', async (t) => {
    await stack.kill('nats-3');
    const stranger = spawn(process.execPath, ['--eval', listenOn(stack.natsUrls[2])], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => stranger.kill());
    await once(stranger.stdout, 'data');
    await assert.rejects(stack.start('nats-3'), /Another process took the port of nats-3/);
    stranger.kill();
    await once(stranger, 'exit');
    await stack.start('nats-3');
  });

  test('keeps frozen connections open but silent until they are thawed', async () => {
    await stack.freeze('postgres');
    const answer = ask(stack.databaseUrl('postgres'), 'select 1');
    assert.equal(await Promise.race([answer, sleep(300, 'silence')]), 'silence');
    await stack.thaw('postgres');
    assert.equal(await answer, '1');
  });

  test('rejects starting a running part, and unknown parts', async () => {
    await assert.rejects(stack.start('nats'), /nats-1 is already running/);
    await assert.rejects(stack.kill('redis'), /No part is called redis/);
  });
});

describe('stopping a stack', () => {
  test('leaves no process and no directory, even with frozen and killed parts', async () => {
    const { stdout } = await run(process.execPath, [command, 'up', '--json']);
    const { STACK_DIRECTORY: directory, CARILLON_DATABASE_URL: url } = JSON.parse(stdout) as Record<string, string>;
    assert.ok(directory && url);
    const name = stackName(await openStack(directory));
    assert.ok(processesWith(directory, name).length >= 3);
    assert.equal(await ask(url, 'select 1'), '1');

    await run(process.execPath, [command, 'stop', 'postgres', '--directory', directory]);
    await run(process.execPath, [command, 'kill', 'nats', '--directory', directory]);
    await run(process.execPath, [command, 'down', '--directory', directory]);
    assert.deepEqual(processesWith(directory, name), []);
    assert.equal(existsSync(directory), false);
  });

  test('keeps a directory that existed before and leaves it empty', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'carillon-test-'));
    await chmod(directory, 0o755);
    await writeFile(join(directory, 'precious'), '');
    await assert.rejects(startStack({ directory }), /is not empty/);
    await rm(join(directory, 'precious'));
    await (await startStack({ directory })).stop();
    assert.deepEqual(readdirSync(directory), []);
    await rmdir(directory);
  });

  test('happens when the process that started the stack exits, even if it is killed', async () => {
    const script = `import { startStack } from '${library}';
      const stack = await startStack();
      console.log(stack.directory);
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(owner.stdout, 'data');
    const directory = String(line).trim();
    const name = stackName(await openStack(directory));
    owner.kill('SIGKILL');
    await until(async () => !existsSync(directory) && processesWith(directory, name).length === 0);
  });
});

describe('fresh databases', () => {
  test('are three migrated databases, separate from those of other tests', async () => {
    const stack = await testStack();
    const [mine, yours] = await Promise.all([createMigratedDatabases(stack), createMigratedDatabases(stack)]);
    const urls = [mine, yours].flatMap(({ homeUrl, shardUrls }) => [homeUrl, ...shardUrls]);
    assert.equal(new Set(urls).size, 6);
    for (const url of urls) {
      assert.ok(Number(await ask(url, "select count(*) from pg_tables where schemaname = 'public'")) > 0);
      await ask(url, 'create table only_here ()'); // Fails if two of the databases are the same.
    }
    assert.deepEqual(mine.settings, {
      CARILLON_DATABASE_URL: mine.homeUrl,
      CARILLON_SHARD_DATABASES: `shard1=${mine.shardUrls[0]} shard2=${mine.shardUrls[1]}`,
    });

    const connected = new Client({ connectionString: mine.homeUrl });
    connected.on('error', () => {}); // The database is dropped while this client is connected.
    await connected.connect();
    await Promise.all([mine[Symbol.asyncDispose](), yours[Symbol.asyncDispose]()]);
    for (const url of urls) await assert.rejects(ask(url, 'select 1'), /does not exist/);
  });

  test('have templates that only the first of several callers creates', async () => {
    await using stack = await startStack();
    await Promise.all([createTemplates(stack), createTemplates(stack), createTemplates(stack)]);
    const found =
      "select string_agg(datname, ' ' order by datname) from pg_database where datname ~ '_template$' and datistemplate";
    assert.equal(await ask(stack.databaseUrl('postgres'), found), 'carillon_home_template carillon_shard_template');
  });
});

test('a stack does not require root', { skip: process.getuid?.() !== 0 }, async () => {
  // Drops root privileges only after loading, so that the user does not need read access to this clone.
  const script = `import { statSync } from 'node:fs';
    import { startStack } from '${library}';
    process.setgroups([]);
    process.setgid(65534);
    process.setuid(65534);
    const stack = await startStack();
    await stack.kill('postgres');
    await stack.start('postgres');
    const { uid } = statSync(stack.directory);
    await stack.stop();
    console.log(uid);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: '/',
    env: { PATH: process.env.PATH },
  });
  assert.equal(stdout.trim(), '65534');
});

/** Returns the first column of the first row as text. */
async function ask(url: string, sql: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // The query in progress fails with the same error.
  try {
    await client.connect();
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0] === undefined ? undefined : String(rows[0][0]);
  } finally {
    await client.end();
  }
}

/** Publishes a message at one node and returns the message that a subscriber at another node receives. */
async function publishAndReceive(
  from: string | undefined,
  to: string | undefined,
  text: string,
): Promise<string | undefined> {
  assert.ok(from && to);
  const publisher = await connect({ servers: from, ignoreClusterUpdates: true });
  const subscriber = await connect({ servers: to, ignoreClusterUpdates: true });
  const received = new Promise<string>((resolve) => {
    subscriber.subscribe('test.carry', { max: 1, callback: (_, message) => resolve(message.string()) });
  });
  await subscriber.flush();
  // The subscription reaches the other node a moment later, so a single message could be too early.
  const publishing = setInterval(() => publisher.publish('test.carry', text), 20);
  const result = await Promise.race([received, sleep(5000, undefined, { ref: false })]);
  clearInterval(publishing);
  await Promise.all([publisher.close(), subscriber.close()]);
  return result;
}

/**
 * Returns a program that listens on the port of a URL, prints a line, and sends the greeting of another NATS server.
 */
function listenOn(url: string | undefined): string {
  assert.ok(url);
  const greeting = JSON.stringify(`INFO ${JSON.stringify({ server_name: 'stranger' })}\r\n`);
  return `net.createServer((socket) => socket.on('error', () => {}).write(${greeting}))
    .listen(${new URL(url).port}, '127.0.0.1', () => console.log('listening'))`;
}

/**
 * Returns the command lines of all processes of a stack, without using the stack's code. The command lines contain its
 * directory or name.
 */
function processesWith(...marks: string[]): string[] {
  const commandLines = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => (existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''));
  return commandLines.filter((commandLine) => marks.some((mark) => commandLine.includes(mark)));
}

function stackName(stack: Stack): string {
  return readState(stack.directory).name;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `condition not met after 10 s: ${isSo}`);
    await sleep(20);
  }
}
