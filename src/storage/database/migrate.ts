import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationBuilder, PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import pg from 'pg';
import { createLog } from '#src/foundation/log.ts';
import { createBucketMap, readBucketMap } from './bucket-map.ts';
import { ConnectionFailure } from './connection-failure.ts';
import { connectionOptions } from './connection-options.ts';
import { type DatabaseKind, migrationsFolder, migrationsTable } from './migrations.ts';
import { type StorageOptions, withHome, withShard } from './open-storage.ts';
import { ensureHomePartitions, ensureShardPartitions } from './partitions.ts';
import { grantRights } from './rights.ts';

/**
 * Migrates the home database to this version. A new installation distributes its buckets over `databases`. Safe to run
 * repeatedly, and from several processes at the same time.
 */
export async function migrateHome(
  url: string,
  databases: readonly string[],
  rolePrefix?: string,
): Promise<MigratedHome> {
  const hasRoles = await migrateHomeSchema(url, rolePrefix);
  return withHome(migrationOptions(url), async (home) => {
    await createBucketMap(home, databases);
    const { ranges } = await readBucketMap(home);
    return { databases: [...new Set(ranges.map(({ database }) => database))], hasRoles };
  });
}

export interface MigratedHome {
  /** The databases of the bucket map. */
  readonly databases: readonly string[];
  /** False if the PostgreSQL roles of the processes do not exist. */
  readonly hasRoles: boolean;
}

/** The default of `CARILLON_DATABASE_ROLES`. */
export const ROLE_PREFIX = 'carillon';

/** Migrates the home database without a bucket map. Returns false if the roles of the processes do not exist. */
export async function migrateHomeSchema(url: string, rolePrefix = ROLE_PREFIX): Promise<boolean> {
  await retryUntilUnlocked(() => runMigrations(url, 'home'));
  await retryUntilUnlocked(() => withHome(migrationOptions(url), (home) => ensureHomePartitions(home)));
  return retryUntilUnlocked(() => grantRightsTo(url, 'home', rolePrefix));
}

/**
 * Migrates a shard database to this version. It can be the same database as home, because the tables have different
 * names. Returns false if the roles of the processes do not exist.
 */
export async function migrateShard(url: string, rolePrefix = ROLE_PREFIX): Promise<boolean> {
  await retryUntilUnlocked(() => runMigrations(url, 'shard'));
  await retryUntilUnlocked(() => withShard(url, migrationOptions(url), (shard) => ensureShardPartitions(shard)));
  return retryUntilUnlocked(() => grantRightsTo(url, 'shard', rolePrefix));
}

/** Maximum time to wait for a lock. While a migration waits, the statements of running roles queue up behind it. */
const LOCK_MS_MAX = 2_000;
/**
 * Maximum number of attempts. They take about a minute and a half, which is longer than any transaction of Carillon (at
 * most a minute).
 */
const TRIES_MAX = 30;
const RETRY_PAUSE_MS = 1_000;
const CONNECT_MS_MAX = 10_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Repeats work that could not acquire its lock. Each migration and each partition is a transaction, so a failed attempt
 * leaves nothing behind.
 */
async function retryUntilUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || tries === TRIES_MAX) throw error;
      await sleep(RETRY_PAUSE_MS);
    }
}

/**
 * Runs migrations under a lock that excludes other migrations. Session state must not be used: behind PgBouncer, each
 * transaction may run on a different connection, which other processes use afterwards. Therefore the lock belongs to a
 * transaction that stays open on a separate connection.
 */
async function runMigrations(url: string, kind: DatabaseKind): Promise<void> {
  await withClient(url, async (lockClient) => {
    await lockClient.query('begin; set local idle_in_transaction_session_timeout = 0');
    // Without a time limit, because another running migration must finish first.
    await lockClient.query('select pg_advisory_xact_lock($1)', [PG_MIGRATE_LOCK_ID]);
    await withClient(url, (client) => {
      // Without the lock another migration may start, so this one ends when the lock's connection ends.
      lockClient.once('end', () => void client.end().catch(() => undefined));
      return runner({
        dbClient: client,
        noLock: true,
        dir: migrationsFolder(kind),
        migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadMigrations }],
        migrationsTable: migrationsTable(kind),
        direction: 'up',
        checkOrder: true,
        singleTransaction: false,
        log: () => undefined,
      });
    });
    await lockClient.query('commit');
  });
}

/** Loads each migration unchanged from its file, and adds a lock timeout for its transaction. */
function loadMigrations(paths: readonly string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const sql = `set local lock_timeout = ${LOCK_MS_MAX};\n${await readFile(path, 'utf8')}`;
      return { id: path, filePaths: [path], actions: { up: (builder: MigrationBuilder) => builder.sql(sql) } };
    }),
  );
}

/** Gives each process its rights, in a transaction that excludes other migrations. */
function grantRightsTo(url: string, kind: DatabaseKind, rolePrefix: string): Promise<boolean> {
  return withClient(url, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [PG_MIGRATE_LOCK_ID]);
    await client.query(`set local lock_timeout = ${LOCK_MS_MAX}`);
    const hasRoles = await grantRights(client, kind, rolePrefix);
    await client.query('commit');
    return hasRoles;
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: CONNECT_MS_MAX, keepAlive: true });
  client.on('error', () => undefined); // The failing query throws the same error.
  try {
    await client.connect().catch((error: Error) => {
      throw new ConnectionFailure(url, error);
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const migrationOptions = (url: string): StorageOptions => ({
  settings: { CARILLON_DATABASE_URL: url, CARILLON_SHARD_DATABASES: '', CARILLON_DATABASE_QUERY_SECONDS_MAX: 60 },
  connections: 1,
  log: createLog({ level: 'warn', fields: { role: 'migrate' } }),
});
