import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { LOOPBACK_SETTINGS, type Role, startRole } from '../../scripts/dev/role-process.ts';
import { newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { createEmptyDatabases, createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { startPooler } from '../support/pooler.ts';
import { runBin } from '../support/run-command.ts';
import { testStack } from '../support/stack.ts';

/** Longer than `migrate` waits for a table lock, and still acceptable as a delay for other queries. */
const WAIT_MS_MAX = 8_000;

/** Two concurrent migrations need two connections each. */
const POOLED = 4;

describe('databases and roles of different versions', () => {
  let bare: TestDatabases;
  let fresh: TestDatabases;
  let common: Readonly<Record<string, string>>;

  before(async () => {
    [bare, fresh] = await Promise.all([createEmptyDatabases(), createMigratedDatabases()]);
    common = {
      ...LOOPBACK_SETTINGS,
      CARILLON_NATS_URLS: (await testStack()).natsUrls.join(','),
      CARILLON_NATS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      ...newMasterKeys('test'),
    };
  });
  after(async () => {
    await bare?.[Symbol.asyncDispose]();
    await fresh?.[Symbol.asyncDispose]();
  });

  async function connect(url: string): Promise<Client & AsyncDisposable> {
    const client = new Client({ connectionString: url, statement_timeout: WAIT_MS_MAX });
    await client.connect();
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
  }
  /** Creates and locks the table of migrations, so that the first migration waits when it inserts its row. */
  async function lockFirstRow(holder: Client): Promise<void> {
    await holder.query(
      'create table home_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)',
    );
    await holder.query('begin; lock table home_migrations in share mode');
  }
  const untilSomebodyWaits = (other: Client) =>
    eventually(async () => {
      const { rowCount } = await other.query(
        `select from pg_locks where not granted and relation = 'home_migrations'::regclass`,
      );
      assert.equal(rowCount, 1);
    });
  const start = (role: Role, { settings }: TestDatabases) => startRole(role, { ...common, ...settings });

  test('a role exits with instructions if the databases were not migrated', async () => {
    await assert.rejects(
      start('api', bare),
      /ended during startup \(1\):\n(?:\{.*\n)*The databases lack migrations of this version: home\/0001-[^:]*\. Run `node src\/bin\/migrate\.ts` of this version with the same settings, then start this process again\./,
    );
  });

  test('a role names the only migration that is missing in one of three databases', async () => {
    await using high = await connect(fresh.shardUrls[1] as string);
    const last = 'select max(id) from shard_migrations';
    const { rows } = await high.query(`delete from shard_migrations where id = (${last}) returning name`);
    await assert.rejects(start('worker', fresh), new RegExp(`version: shard/${rows[0].name}\\. Run`));
    await high.query('insert into shard_migrations (name, run_on) values ($1, now())', [rows[0].name]);
  });

  test('a role starts and is ready on the schema of a newer version', async () => {
    await using home = await connect(fresh.homeUrl);
    await home.query(`insert into home_migrations (name, run_on) values ('9999-later', now())`);
    const roles = await Promise.all((['gateway', 'worker'] as const).map((role) => start(role, fresh)));
    try {
      for (const { healthUrl } of roles) assert.equal((await fetch(`${healthUrl}/readyz`)).status, 200);
      const { code, stdout } = await runBin('migrate', [], { ...common, ...fresh.settings });
      assert.equal(code, 0, stdout);
    } finally {
      await Promise.all(roles.map((role) => role.stop()));
    }
  });

  test('a migration that waits for a table lock does not block other queries, and completes', async () => {
    await using holder = await connect(bare.homeUrl);
    await using other = await connect(bare.homeUrl);
    await lockFirstRow(holder);
    const migrating = runBin('migrate', [], { ...common, ...bare.settings });
    await untilSomebodyWaits(other);
    const began = performance.now();
    await other.query('begin; lock table home_migrations in share mode; commit');
    assert.ok(performance.now() - began < WAIT_MS_MAX);
    await holder.query('commit');
    const { code, stdout } = await migrating;
    assert.equal(code, 0, stdout);
  });

  test('an argument such as --help migrates nothing', async () => {
    await using databases = await createEmptyDatabases();
    const { code, stderr } = await runBin('migrate', ['--help'], { ...common, ...databases.settings });
    assert.equal(code, 64);
    assert.match(stderr, /^migrate has no options\./m);
    await using home = await connect(databases.homeUrl);
    assert.deepEqual((await home.query(`select 1 from pg_tables where schemaname = 'public'`)).rows, []);
  });

  test('several processes can migrate at the same time', async () => {
    await using databases = await createEmptyDatabases();
    const ended = await Promise.all([1, 2].map(() => runBin('migrate', [], { ...common, ...databases.settings })));
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
      ended.map(({ stdout }) => stdout).join(''),
    );
  });

  /** Settings with all tables in the home database, behind a pooler. */
  const pooled = (url: string) => ({ ...common, CARILLON_DATABASE_URL: url, CARILLON_SHARD_DATABASES: '' });

  test('migrates through PgBouncer in transaction mode, and leaves no locks or session settings on its connections', async () => {
    await using databases = await createEmptyDatabases();
    await using pooler = await startPooler(databases.homeUrl, POOLED);
    const ended = await Promise.all([1, 2].map(() => runBin('migrate', [], pooled(pooler.url))));
    for (const { code, stdout } of ended) assert.equal(code, 0, stdout);

    await using admin = await connect(databases.homeUrl);
    const locks = await admin.query(
      `select from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
    assert.equal(locks.rowCount, 0);
    await using next = await connect(pooler.url);
    for (let i = 0; i < POOLED; i++) {
      const { rows } = await next.query(`select name, setting from pg_settings where source = 'session'`);
      assert.deepEqual(rows, []);
    }
  });

  test('reports a wrong password and an unreachable server in one line, with the setting and without the password', async () => {
    const url = new URL(bare.homeUrl);
    url.password = 'canary-4711';
    const wrong = { ...common, CARILLON_DATABASE_URL: url.href };
    const unreachable = { ...common, CARILLON_DATABASE_URL: 'postgres://ada:canary-4711@127.0.0.1:9/bells' };
    for (const [command, ...args] of [['migrate'], ['api'], ['init', 'shop']] as const) {
      const { code, stdout, stderr } = await runBin(command, args, wrong);
      assert.equal(code, 1);
      assert.doesNotMatch(stdout, /canary/);
      assert.equal(
        stderr,
        `${url.host}${url.pathname} cannot be used: password authentication failed for user "${url.username}". Check the user and password in CARILLON_DATABASE_URL, and pg_hba.conf.\n`,
      );
      assert.match(
        (await runBin(command, args, unreachable)).stderr,
        /^127\.0\.0\.1:9\/bells cannot be used: .*ECONNREFUSED.*\. .* Start PostgreSQL, or check CARILLON_DATABASE_URL\.\n$/,
      );
    }
  });

  test('a role names the setting of a port that is in use', async () => {
    await using other = await start('all', fresh);
    const { health, api, gateway, webSocket } = other.ports;
    const settings = { ...common, ...fresh.settings };
    for (const [role, setting, port] of [
      ['api', 'CARILLON_API_PORT', api],
      ['gateway', 'CARILLON_MQTT_PORT', gateway],
      ['gateway', 'CARILLON_MQTT_WEBSOCKET_PORT', webSocket],
      ['worker', 'CARILLON_HEALTH_PORT', health],
    ] as const) {
      const { code, stderr } = await runBin(role, [], { ...settings, [setting]: `${port}` });
      assert.deepEqual(
        [code, stderr],
        [
          1,
          `${setting} ${port} is already in use. Stop the process that uses this port (\`ss -ltnp\` lists it), or set ${setting} to a free port.\n`,
        ],
      );
    }
  });

  test('logs a connection failure during a migration, without a stack trace', async () => {
    await using databases = await createEmptyDatabases();
    await using pooler = await startPooler(databases.homeUrl, POOLED);
    await using holder = await connect(databases.homeUrl);
    await using other = await connect(databases.homeUrl);
    await lockFirstRow(holder);
    const migrating = runBin('migrate', [], pooled(pooler.url));
    await untilSomebodyWaits(other);
    pooler.closeClients();
    const { code, stdout, stderr } = await migrating;
    assert.deepEqual([code, stderr], [1, '']);
    assert.match(stdout, /"event":"migration-failed"/);
  });

  test('a process that loses the migration lock stops', async () => {
    await using databases = await createEmptyDatabases();
    await using holder = await connect(databases.homeUrl);
    await using other = await connect(databases.homeUrl);
    await lockFirstRow(holder);
    const migrating = runBin('migrate', [], { ...common, ...databases.settings });
    await untilSomebodyWaits(other);
    const { rowCount } = await other.query(
      `select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
    );
    assert.equal(rowCount, 1);
    const { code, stdout } = await migrating;
    await holder.query('commit');
    assert.equal(code, 1, stdout);
    assert.match(stdout, /"event":"migration-failed"/);
  });
});
