import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrateHome, migrateHomeSchema, migrateShard } from '#src/storage/database/migrate.ts';
import { initialDatabases } from '#src/storage/database/open-storage.ts';
import type { Stack } from '../../scripts/stack/stack.ts';
import { LAW_TRIGGERS } from './law-triggers.ts';
import { testStack } from './stack.ts';

export type TestDatabases = AsyncDisposable & {
  homeUrl: string;
  /** The databases with devices, in the order of their buckets. */
  shardUrls: readonly string[];
  /** The same URLs as settings of a role. */
  settings: { CARILLON_DATABASE_URL: string; CARILLON_SHARD_DATABASES: string };
};

/** Databases with all migrations applied. The databases of each test file are copies of these templates. */
const homeTemplate = { name: 'carillon_home_template', migrate: migrateHomeSchema };
const shardTemplate = { name: 'carillon_shard_template', migrate: migrateShard };

/**
 * The number of databases of each test, from `CARILLON_TEST_DATABASES`: 1 is a home database with all devices, and more
 * are one home database and the rest for the devices.
 */
export const TEST_DATABASES = Number(process.env.CARILLON_TEST_DATABASES ?? 3);

/** An arbitrary number that no other lock in the database `postgres` uses. */
const TEMPLATES_LOCK = 7_310_001;

const CONNECT_SECONDS_MAX = 10;

interface DatabaseOptions {
  /** The number of databases: one for home and the others for devices. */
  readonly count?: number | undefined;
  /** False if the test changes slices in a way that the laws of the ledger forbid, or measures the work. */
  readonly checksLaws?: boolean | undefined;
}

/** Creates migrated and empty databases. Disposing drops them. */
export async function createMigratedDatabases(
  stack?: Stack,
  { count = TEST_DATABASES, checksLaws = true }: DatabaseOptions = {},
): Promise<TestDatabases> {
  const targetStack = stack ?? (await testStack());
  await createTemplates(targetStack);
  const databases = await createDatabases(targetStack, { home: homeTemplate.name, shard: shardTemplate.name }, count);
  const { CARILLON_DATABASE_URL: homeUrl, CARILLON_SHARD_DATABASES: shardDatabases } = databases.settings;
  if (shardDatabases === '') await migrateShard(homeUrl);
  await migrateHome(homeUrl, initialDatabases(homeUrl, shardDatabases));
  if (checksLaws) for (const url of databases.shardUrls) await runScript(url, LAW_TRIGGERS);
  return databases;
}

/** Creates the same databases without migrations. */
export async function createEmptyDatabases(stack?: Stack): Promise<TestDatabases> {
  return createDatabases(stack ?? (await testStack()), { home: 'template1', shard: 'template1' }, TEST_DATABASES);
}

async function createDatabases(
  stack: Stack,
  templates: { home: string; shard: string },
  count: number,
): Promise<TestDatabases> {
  const prefix = `test_${randomBytes(6).toString('hex')}`;
  const home = `${prefix}_home`;
  const shards = Array.from({ length: count - 1 }, (_, i) => `${prefix}_shard${i + 1}`);
  await using admin = await connectAdmin(stack);
  await admin.query(`create database ${home} template ${templates.home}`);
  for (const shard of shards) await admin.query(`create database ${shard} template ${templates.shard}`);

  const homeUrl = stack.databaseUrl(home);
  const shardUrls = shards.map((shard) => stack.databaseUrl(shard));
  return {
    homeUrl,
    shardUrls: shardUrls.length > 0 ? shardUrls : [homeUrl],
    settings: {
      CARILLON_DATABASE_URL: homeUrl,
      CARILLON_SHARD_DATABASES: shardUrls.map((url, i) => `shard${i + 1}=${url}`).join(' '),
    },
    [Symbol.asyncDispose]: () => dropDatabases(stack, [home, ...shards]),
  };
}

/**
 * Creates the templates that this stack does not have yet. If several test files call this at the same time, only one
 * creates them.
 */
export async function createTemplates(stack: Stack): Promise<void> {
  await using admin = await connectAdmin(stack);
  await admin.query('select pg_advisory_lock($1)', [TEMPLATES_LOCK]); // Released when the connection ends.
  for (const { name, migrate } of [homeTemplate, shardTemplate]) {
    // A database is marked as a template only when it is complete. An incomplete database of an interrupted attempt is
    // dropped.
    const complete = await admin.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (complete.rowCount === 1) continue;
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    await migrate(stack.databaseUrl(name));
    // Connections are disabled, because a template with connections cannot be copied.
    await admin.query(`alter database ${name} with is_template true allow_connections false`);
  }
}

async function runScript(url: string, script: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_SECONDS_MAX * 1000 });
  await client.connect();
  try {
    await client.query(script);
  } finally {
    await client.end();
  }
}

/** Drops databases by force, because processes that a test started may still be connected. */
async function dropDatabases(stack: Stack, names: readonly string[]): Promise<void> {
  await using admin = await connectAdmin(stack);
  for (const name of names) await admin.query(`drop database if exists ${name} with (force)`);
}

/** Connects as superuser to the database `postgres`, from which other databases can be created and dropped. */
async function connectAdmin(stack: Stack): Promise<Client & AsyncDisposable> {
  const client = new Client({
    connectionString: stack.databaseUrl('postgres'),
    connectionTimeoutMillis: CONNECT_SECONDS_MAX * 1000,
  });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
