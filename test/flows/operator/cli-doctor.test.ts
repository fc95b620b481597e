import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { bucketOfTask } from '#src/domain/task.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { readArchiveFacts } from '#src/storage/database/server-facts.ts';
import { expansionOf, planExpansions } from '#src/storage/ledger/expansions.ts';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { withDatabase } from '../../../cli/doctor/server/databases.ts';
import { run } from '../../../cli/support/run-command.ts';
import { newMasterKey } from '../../../scripts/stack/master-keys.ts';
import { createServerDirectory } from '../../../scripts/stack/server-files.ts';
import { type Stack, startStack } from '../../../scripts/stack/stack.ts';
import { createServerIdentity } from '../../../simulators/kit/certificate.ts';
import type { ServerIdentity } from '../../../simulators/kit/server-identity.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { TEST_DATABASES } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';

describe('carillon doctor on a server', () => {
  let stack: Stack;
  let service: Carillon;
  let env: Record<string, string>;

  before(async () => {
    stack = await startStack({ natsNodes: 2 });
    await archiveTo(stack, 'true');
    service = await startCarillon({ stack });
    const { NODE_EXTRA_CA_CERTS = '', ...settings } = service.settings;
    env = {
      ...settings,
      NODE_EXTRA_CA_CERTS,
      CARILLON_GATEWAY_SESSIONS_PER_APP_MAX: '10',
      CARILLON_GATEWAY_PENDING_CONNECTIONS_MAX: '10',
      CARILLON_URL: service.apis[0]?.apiUrl as string,
      CARILLON_APP_ID: service.appId,
      CARILLON_ADMIN_TOKEN: service.adminToken,
    };
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await stack.stop();
  });

  /** Runs `carillon doctor` and returns its findings. Fails if the output contains a secret. */
  async function examine(change: Record<string, string> = {}, ...args: string[]) {
    const given = { ...env, ...change };
    const { code, stdout, stderr } = await run(['doctor', '--json', ...args], given);
    assert.equal(stderr, '');
    const secrets = [
      new URL(env.CARILLON_DATABASE_URL as string).password,
      given.CARILLON_MASTER_KEYS_APPS,
      service.adminToken,
    ];
    for (const secret of secrets) assert.ok(secret && !stdout.includes(secret), 'no secret is printed');
    const findings = JSON.parse(stdout) as Finding[];
    const troubles = findings.filter(({ state }) => state !== 'ok');
    return { code, findings, troubles, labels: troubles.map(({ check, state }) => `${state} ${check}`) };
  }

  /** Changes the archiving, and waits until the circuit breakers of this process are reset after the restart. */
  async function archiveWith(command: string | null, timeout?: string): Promise<void> {
    await archiveTo(stack, command, timeout);
    await eventually(() =>
      Promise.all([service.storage.home, ...service.storage.shards.all].map((db) => db.query('select'))),
    );
  }

  test('reports no problems for a healthy installation', async () => {
    const gateway = service.gateways[0];
    const listenerFlags = ['--mqtt', gateway?.mqttUrl as string, '--websocket', gateway?.webSocketUrl as string];
    const { code, findings, troubles } = await examine({}, ...listenerFlags);
    assert.deepEqual([code, troubles], [0, []]);
    const checks = findings.map(({ check }) => check);
    for (const check of [
      'settings',
      'PostgreSQL',
      'durability',
      'backup',
      'migrations',
      'bucket map',
      'tasks',
      'master keys',
      'NATS',
      'file limit',
      'headers',
      'certificates',
      'MQTT',
      'WebSocket',
    ])
      assert.ok(checks.includes(check), check);
    assert.equal(checks.filter((check) => check === 'migrations').length, TEST_DATABASES);
    assert.equal(checks.filter((check) => check === 'backup').length, 1, 'all databases are on one server');
    assert.match(
      findings.find(({ check }) => check === 'NATS')?.text ?? '',
      /^2 servers respond, .*; a cluster of 2\.$/,
    );
  });

  test('reports invalid and unknown settings', async () => {
    const { code, troubles } = await examine({ CARILLON_API_PORT: 'http', CARILLON_NATS_PREFIKS: 'x' });
    assert.equal(code, 1);
    assert.deepEqual(
      troubles.map(({ text }) => text),
      ['CARILLON_API_PORT must be integer 0–65535.', 'Unknown settings: CARILLON_NATS_PREFIKS.'],
    );
  });

  test('reports a missing migration and a newer one', async () => {
    const { home } = service.storage;
    const [last] = await home.query<{ name: string }>(
      'delete from home_migrations where id = (select max(id) from home_migrations) returning name',
    );
    const missing = await examine();
    assert.deepEqual([missing.code, missing.labels], [1, ['wrong migrations']]);
    assert.match(missing.troubles[0]?.text ?? '', new RegExp(`for home: 1 \\(${last?.name}\\)\\.$`));
    assert.match(missing.troubles[0]?.advice ?? '', /node src\/bin\/migrate\.ts/);
    await home.query('insert into home_migrations (name, run_on) values ($1, now()), ($2, now())', [
      last?.name,
      '9999-later',
    ]);
    const newer = await examine();
    assert.deepEqual([newer.code, newer.labels], [0, ['warning migrations']]);
    await home.query(`delete from home_migrations where name = '9999-later'`);
  });

  test('reports differences between the bucket map and the settings', { skip: TEST_DATABASES < 2 }, async () => {
    const named = env.CARILLON_SHARD_DATABASES as string;
    const first = named.split(' ')[0] as string;
    const unused = await examine({ CARILLON_SHARD_DATABASES: `${named} other=${first.slice(first.indexOf('=') + 1)}` });
    assert.deepEqual([unused.code, unused.labels], [0, ['warning bucket map']]);
    assert.match(unused.troubles[0]?.text ?? '', /^CARILLON_SHARD_DATABASES names the database other, which has no /);
    const missing = await examine({ CARILLON_SHARD_DATABASES: named.replace('shard1=', 'shard-one=') });
    assert.deepEqual([missing.code, missing.labels], [1, ['wrong bucket map', 'warning bucket map']]);
    assert.match(
      missing.troubles[0]?.text ?? '',
      /does not name the database shard1, which has \d+ of 4096 buckets\.$/,
    );
    assert.match(missing.troubles[0]?.advice ?? '', /^Add `shard1=postgres:/);
    const { home } = service.storage;
    await home.query('update bucket_map set last_bucket = 4094 where last_bucket = 4095');
    const broken = await examine();
    await home.query('update bucket_map set last_bucket = 4095 where last_bucket = 4094');
    assert.deepEqual([broken.code, broken.labels], [1, ['wrong bucket map']]);
    assert.match(broken.troubles[0]?.text ?? '', /has no database for bucket 4095\.$/);
  });

  test('reports a home database that must have devices but was not migrated for them', {
    skip: TEST_DATABASES < 2,
  }, async () => {
    const { home } = service.storage;
    const [last] = await home.query<{ database: string }>(
      `update bucket_map m set database = 'home' from bucket_map old
        where m.last_bucket = 4095 and old.last_bucket = 4095 returning old.database`,
    );
    const { code, troubles } = await examine();
    await home.query('update bucket_map set database = $1 where last_bucket = 4095', [last?.database]);
    assert.equal(code, 1);
    assert.match(troubles[0]?.text ?? '', /^Migrations missing in .* for shard: \d+ /);
  });

  test('reports databases whose schemas differ', { skip: TEST_DATABASES < 3 }, async () => {
    const shard = service.storage.shards.all[1] as ShardDb;
    await shard.query(`insert into shard_migrations (name, run_on) values ('9999-later', now())`);
    const { code, labels, troubles } = await examine();
    await shard.query(`delete from shard_migrations where name = '9999-later'`);
    assert.deepEqual([code, labels], [1, ['warning migrations', 'wrong migrations']]);
    assert.equal(troubles[1]?.text, 'The schema of shard2 differs from the schema of shard1.');
  });

  test('reports tasks that only the home database or only another database has', async () => {
    const { home, shards } = service.storage;
    const user = await service.createUser('doctor');
    const taskId = await service.notify({ user_id: [user.userId] }, { body: 'x' });
    await eventually(async () => {
      const rows = await home.query(`select from tasks where task_id = $1 and state = 'finished'`, [taskId]);
      assert.equal(rows.length, 1);
    });
    const db = shards.dbFor(bucketOfTask(taskId));
    assert.deepEqual((await examine()).labels, []);

    await db.query('delete from expansions where task_id = $1', [taskId]);
    const lost = await examine();
    assert.deepEqual([lost.code, lost.labels], [1, ['wrong tasks']]);
    assert.match(
      lost.troubles[0]?.text ?? '',
      new RegExp(` has lost 1 of the newest \\d+ tasks .* is ${taskId}, accepted `),
    );
    assert.match(lost.troubles[0]?.advice ?? '', /after-restore\.ts --dry-run/);

    await home.query('delete from tasks where task_id = $1', [taskId]);
    const expansion = expansionOf(
      { taskId, appId: service.appId, lane: 'prompt' },
      { firstBucket: bucketOfTask(taskId), lastBucket: bucketOfTask(taskId) },
    );
    await planExpansions(db, [expansion], { done: true });
    const unknown = await examine();
    await db.query('delete from expansions where task_id = $1', [taskId]);
    assert.deepEqual([unknown.code, unknown.labels], [1, ['wrong tasks']]);
    assert.match(unknown.troubles[0]?.text ?? '', /^The home database does not have 1 of the newest \d+ tasks in /);
    assert.match(unknown.troubles[0]?.advice ?? '', /These tasks are not sent\./);
  });

  test('reports a database that does not flush commits to disk', async () => {
    const { home } = service.storage;
    const name = new URL(env.CARILLON_DATABASE_URL as string).pathname.slice(1);
    await home.query(`alter database ${name} set synchronous_commit = off`);
    const { code, troubles } = await examine();
    await home.query(`alter database ${name} reset synchronous_commit`);
    assert.equal(code, 1);
    assert.deepEqual(
      troubles.map(({ text }) => text),
      ['synchronous_commit is off: a power failure can lose accepted tasks.'],
    );
  });

  test('reports a server whose WAL is not archived', async () => {
    await archiveWith('false');
    await service.storage.home.query('select pg_switch_wal()');
    await eventually(async () => {
      const failed = await service.storage.home.query(
        'select from pg_stat_archiver where last_failed_time is not null',
      );
      assert.equal(failed.length, 1);
    });
    const failing = await examine();
    assert.deepEqual([failing.code, failing.labels], [0, ['warning backup']]);
    assert.match(failing.troubles[0]?.text ?? '', /^WAL archiving on .* on its disk\.$/);
    await archiveWith(null);
    const { code, labels, troubles } = await examine();
    assert.deepEqual([code, labels], [0, ['warning backup']]);
    assert.match(troubles[0]?.text ?? '', /^PostgreSQL on 127\.0\.0\.1:\d+ neither archives nor streams its WAL/);
    assert.match(troubles[0]?.advice ?? '', /docs\/operate\/backup\.md/);
    await archiveWith('true');
  });

  test('reports archiving without a command, and a command that hangs', async () => {
    const { home } = service.storage;
    await home.query(`create role plain login password 'plain'`);
    const url = new URL(env.CARILLON_DATABASE_URL as string);
    Object.assign(url, { username: 'plain', password: 'plain' });
    /** Reads the archiving status with a role that has no privilege except login. */
    const archivingFails = async () => (await withDatabase(url.href, readArchiveFacts)).archivingFails;
    const archived = () =>
      home.query(`select from pg_stat_archiver where last_archived_wal ~ '^[0-9A-F]{24}$'`).then((rows) => rows.length);
    const endSegments = async () => {
      for (let i = 0; i < 2; i++)
        await home.query(`select pg_switch_wal() from pg_logical_emit_message(false, '', '')`);
    };

    await archiveWith('');
    const unreported = await examine();
    assert.deepEqual([unreported.code, unreported.labels], [0, ['warning backup']]);
    assert.match(unreported.troubles[0]?.text ?? '', /^WAL archiving on .* on its disk\.$/);
    assert.ok(await archivingFails());

    const stopped = join(stack.directory, 'stopped');
    const stop = async () => {
      await writeFile(stopped, '');
      // PostgreSQL cannot drop a database while its archive command hangs.
      return { [Symbol.asyncDispose]: () => rm(stopped) };
    };
    {
      await using _stopped = await stop();
      await archiveWith(`while test -e ${stopped}; do sleep 0.1; done`, '1s');
      await endSegments();
      await eventually(async () => assert.ok(await archivingFails(), 'the archive command hangs from the beginning'));
    }
    await eventually(async () => assert.equal(await archived(), 1));
    assert.ok(!(await archivingFails()));
    {
      await using _stopped = await stop();
      await endSegments();
      await eventually(async () => assert.ok(await archivingFails(), 'the archive command hangs later'));
      assert.deepEqual((await examine()).labels, ['warning backup']);
    }
    await home.query('drop role plain');
    await archiveWith('true');
  });

  test('identifies servers by their socket directories', async () => {
    await using other = await startStack({ natsNodes: 0 });
    const bySocket = async (server: Stack, database: string) => {
      const directory = join(server.directory, 'socket');
      await createServerDirectory(directory);
      await configure(server, { unix_socket_directories: directory });
      const url = new URL(server.databaseUrl(database));
      url.search = new URLSearchParams({ host: directory, port: url.port }).toString();
      return { url: url.href, name: `${directory}:${url.port}` };
    };
    const first = await bySocket(stack, new URL(env.CARILLON_DATABASE_URL as string).pathname.slice(1));
    const second = await bySocket(other, 'postgres');
    const { findings } = await examine({
      CARILLON_DATABASE_URL: first.url,
      CARILLON_SHARD_DATABASES: `first=${first.url} second=${second.url}`,
    });
    assert.deepEqual(
      findings.filter(({ check }) => check === 'backup').map(({ text }) => text),
      [
        `${first.name} archives its WAL.`,
        `PostgreSQL on ${second.name} neither archives nor streams its WAL: losing its disk loses all data.`,
      ],
    );
  });

  test('reports a missing master key', async () => {
    const { code, labels, troubles } = await examine({
      CARILLON_MASTER_KEYS_APPS: newMasterKey('new'),
    });
    assert.deepEqual([code, labels], [1, ['wrong master keys']]);
    assert.match(troubles[0]?.text ?? '', /^1 of [2-9]\d* sealed values cannot be opened: apps bells private_key\.$/);
  });

  test('reports a PostgreSQL server that is down, rejects the login or lacks the database', async () => {
    const adviceFor = async (change: (url: URL) => void) => {
      const url = new URL(env.CARILLON_DATABASE_URL as string);
      change(url);
      const { code, troubles } = await examine({ CARILLON_DATABASE_URL: url.href, CARILLON_SHARD_DATABASES: '' });
      assert.equal(code, 1);
      assert.equal(troubles[0]?.check, 'PostgreSQL');
      return troubles[0]?.advice ?? '';
    };
    assert.match(await adviceFor((url) => Object.assign(url, { port: '9' })), /Start PostgreSQL/);
    assert.match(await adviceFor((url) => Object.assign(url, { password: 'wrong' })), /user and password/);
    assert.match(await adviceFor((url) => Object.assign(url, { pathname: '/nowhere' })), /createdb/);
  });

  test('reports untrusted and expired TLS certificates, and a key that does not match', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'carillon-doctor-'));
    const [certificateFile, keyFile, caFile] = ['certificate', 'key', 'ca'].map((name) =>
      join(directory, `${name}.pem`),
    ) as [string, string, string];
    const write = async ({ certificatePem, keyPem, caPem }: ServerIdentity) => {
      await writeFile(certificateFile, certificatePem);
      await writeFile(keyFile, keyPem);
      await writeFile(caFile, caPem);
    };
    const good = createServerIdentity(Date.now());
    await write(good);
    const files = { CARILLON_MQTT_TLS_CERTIFICATE_FILE: certificateFile, CARILLON_MQTT_TLS_KEY_FILE: keyFile };
    await using gateway = await service.start('gateway', files);
    const listenerFlags = ['--mqtt', gateway.mqttTlsUrl, '--websocket', gateway.webSocketUrl];

    const trusted = await examine({ ...files, NODE_EXTRA_CA_CERTS: caFile }, '--url', '', ...listenerFlags);
    assert.deepEqual([trusted.code, trusted.labels], [0, []]);
    const checks = trusted.findings.map(({ check }) => check);
    for (const check of ['gateway TLS', 'TLS, MQTT', 'MQTT', 'TLS, WebSocket', 'WebSocket'])
      assert.ok(checks.includes(check), check);

    const unknown = await examine(files, ...listenerFlags);
    assert.deepEqual([unknown.code, unknown.labels], [0, ['warning TLS, MQTT', 'warning TLS, WebSocket']]);

    await write({ ...good, keyPem: createServerIdentity(Date.now()).keyPem });
    const mixed = await examine(files);
    assert.deepEqual(
      [mixed.code, mixed.troubles.map(({ text }) => text)],
      [1, [`${keyFile} is not the key of ${certificateFile}.`]],
    );
    await write(createServerIdentity(Date.now() - 20 * 365 * 86_400_000));
    const over = await examine(files);
    assert.match(over.troubles[0]?.text ?? '', /certificate\.pem expired on /);
    await rm(directory, { recursive: true });
  });

  test('reports one of two NATS servers as down, then both', async () => {
    await stack.kill('nats-1');
    const one = await examine();
    assert.deepEqual([one.code, one.labels], [0, ['warning NATS']]);
    await stack.kill('nats-2');
    const none = await examine();
    assert.deepEqual([none.code, none.labels], [1, ['wrong NATS', 'wrong NATS']]);
    assert.match(none.troubles[0]?.advice ?? '', /Start nats-server/);
    await stack.start('nats');
  });
});

/** Restarts PostgreSQL with a command that archives its WAL, or without archiving. */
function archiveTo(stack: Stack, command: string | null, timeout = '0'): Promise<void> {
  return configure(stack, {
    archive_mode: command === null ? 'off' : 'on',
    archive_command: command ?? '',
    archive_timeout: timeout,
  });
}

async function configure(stack: Stack, settings: Readonly<Record<string, string>>): Promise<void> {
  const client = new Client(stack.databaseUrl('postgres'));
  await client.connect();
  for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`);
  await client.end();
  await stack.kill('postgres');
  await stack.start('postgres');
}
