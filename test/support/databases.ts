import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrateHome, migrateShard } from '#src/storage/database/migrate.ts';
import type { Stack } from '../../scripts/stack/stack.ts';
import { testStack } from './stack.ts';

export type TestDatabases = AsyncDisposable & {
  homeUrl: string;
  /** Shards 0–31 and shards 32–63. */
  shardUrls: [low: string, high: string];
  /** The same for the environment of a role. */
  settings: { CARILLON_DATABASE_URL: string; CARILLON_SHARD_DATABASES: string };
};

/** Databases that carry every migration; a test file's own databases are copies of them. */
const homeTemplate = { name: 'carillon_home_template', migrate: migrateHome };
const shardTemplate = { name: 'carillon_shard_template', migrate: migrateShard };

/** Any number, as long as nothing else in the database `postgres` locks it. */
const TEMPLATES_LOCK = 7_310_001;

const CONNECT_SECONDS_MAX = 10;

/** Three databases of one's own, migrated and empty: home and two for the shards. Disposing drops them. */
export async function createMigratedDatabases(stack?: Stack): Promise<TestDatabases> {
  const targetStack = stack ?? (await testStack());
  await createTemplates(targetStack);
  return createDatabases(targetStack, { home: homeTemplate.name, shard: shardTemplate.name });
}

/** The same before anything was migrated. */
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

/** Makes the templates that this stack does not have yet. Test files may ask at the same time: one makes them. */
export async function createTemplates(stack: Stack): Promise<void> {
  await using admin = await connectAdmin(stack);
  await admin.query('select pg_advisory_lock($1)', [TEMPLATES_LOCK]); // Let go when the connection ends.
  for (const { name, migrate } of [homeTemplate, shardTemplate]) {
    // Marked as a template only when complete; what an interrupted attempt left behind is dropped.
    const complete = await admin.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (complete.rowCount === 1) continue;
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    await migrate(stack.databaseUrl(name));
    // Nobody connects any more: a template that somebody is connected to cannot be copied.
    await admin.query(`alter database ${name} with is_template true allow_connections false`);
  }
}

/** By force: what a test started may still be connected. */
async function dropDatabases(stack: Stack, names: readonly string[]): Promise<void> {
  await using admin = await connectAdmin(stack);
  for (const name of names) await admin.query(`drop database if exists ${name} with (force)`);
}

/** Making and dropping databases is the superuser's, and is done from a database that is neither. */
async function connectAdmin(stack: Stack): Promise<Client & AsyncDisposable> {
  const client = new Client({
    connectionString: stack.databaseUrl('postgres'),
    connectionTimeoutMillis: CONNECT_SECONDS_MAX * 1000,
  });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
