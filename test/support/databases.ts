import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrateHome, migrateShard } from '#src/storage/database/migrate.ts';
import type { Stack } from '../../scripts/stack/stack.ts';
import { testStack } from './stack.ts';

export type TestDatabases = AsyncDisposable & {
  homeUrl: string;
  /** Shards 0–31 and shards 32–63. */
  shardUrls: [low: string, high: string];
  /** The same URLs as settings of a role. */
  settings: { CARILLON_DATABASE_URL: string; CARILLON_SHARD_DATABASES: string };
};

/** Databases with all migrations applied. The databases of each test file are copies of these templates. */
const homeTemplate = { name: 'carillon_home_template', migrate: migrateHome };
const shardTemplate = { name: 'carillon_shard_template', migrate: migrateShard };

/** An arbitrary number that no other lock in the database `postgres` uses. */
const TEMPLATES_LOCK = 7_310_001;

const CONNECT_SECONDS_MAX = 10;

/** Creates three migrated and empty databases: one for home and two for the shards. Disposing drops them. */
export async function createMigratedDatabases(stack?: Stack): Promise<TestDatabases> {
  const targetStack = stack ?? (await testStack());
  await createTemplates(targetStack);
  return createDatabases(targetStack, { home: homeTemplate.name, shard: shardTemplate.name });
}

/** Creates the same databases without migrations. */
export async function createEmptyDatabases(stack?: Stack): Promise<TestDatabases> {
  return createDatabases(stack ?? (await testStack()), { home: 'template1', shard: 'template1' });
}

async function createDatabases(stack: Stack, templates: { home: string; shard: string }): Promise<TestDatabases> {
  const prefix = `test_${randomBytes(6).toString('hex')}`;
  const [home, low, high] = [`${prefix}_home`, `${prefix}_low`, `${prefix}_high`] as const;
  await using admin = await connectAdmin(stack);
  await admin.query(`create database ${home} template ${templates.home}`);
  await admin.query(`create database ${low} template ${templates.shard}`);
  await admin.query(`create database ${high} template ${templates.shard}`);

  const homeUrl = stack.databaseUrl(home);
  const shardUrls: [string, string] = [stack.databaseUrl(low), stack.databaseUrl(high)];
  return {
    homeUrl,
    shardUrls,
    settings: {
      CARILLON_DATABASE_URL: homeUrl,
      CARILLON_SHARD_DATABASES: `0-31=${shardUrls[0]} 32-63=${shardUrls[1]}`,
    },
    [Symbol.asyncDispose]: () => dropDatabases(stack, [home, low, high]),
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
