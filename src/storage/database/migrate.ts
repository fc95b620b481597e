import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationBuilder, PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import pg from 'pg';
import { createLog } from '#src/foundation/log.ts';
import { openStorage, type Storage } from './database.ts';
import { type DatabaseKind, migrationsFolder, migrationsTable } from './migrations.ts';
import { ensureHomePartitions, ensureShardPartitions } from './partitions.ts';

/** Brings the home database to this version. Safe to run twice, and from several places at once. */
export async function migrateHome(url: string): Promise<void> {
  await retryUntilUnlocked(() => runMigrations(url, 'home'));
  await retryUntilUnlocked(() => withStorage(url, (storage) => ensureHomePartitions(storage.home)));
}

/** Brings a shard database to this version. May be the same database as home: the tables have different names. */
export async function migrateShard(url: string): Promise<void> {
  await retryUntilUnlocked(() => runMigrations(url, 'shard'));
  await retryUntilUnlocked(() => withStorage(url, (storage) => ensureShardPartitions(storage.shards.dbFor(0))));
}

/** Roles are at work, and whoever comes after a statement that waits for its table waits behind it: so it gives up soon. */
const LOCK_MS_MAX = 2_000;
/** So for a minute and a half: a transaction of ours takes a minute at most. */
const TRIES_MAX = 30;
const RETRY_PAUSE_MS = 1_000;
const CONNECT_MS_MAX = 10_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Each migration and each partition is a transaction, so one that did not get its lock has left nothing behind. */
async function retryUntilUnlocked(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || tries === TRIES_MAX) throw error;
      await sleep(RETRY_PAUSE_MS);
    }
}

/**
 * Nothing is left on a connection, nor looked for there: behind PgBouncer each transaction may have another one, which roles
 * get next. So whoever migrates alone does so by a transaction that stays open meanwhile, on a connection of its own.
 */
async function runMigrations(url: string, kind: DatabaseKind): Promise<void> {
  await withClient(url, async (lockClient) => {
    await lockClient.query('begin; set local idle_in_transaction_session_timeout = 0');
    // For as long as it takes: somebody else who migrates is waited for.
    await lockClient.query('select pg_advisory_xact_lock($1)', [PG_MIGRATE_LOCK_ID]);
    await withClient(url, (client) => {
      // Without the lock somebody else may begin, so this ends with it.
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

/** Each as it is in its file, in a transaction that does not wait long. */
function loadMigrations(paths: readonly string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const sql = `set local lock_timeout = ${LOCK_MS_MAX};\n${await readFile(path, 'utf8')}`;
      return { id: path, filePaths: [path], actions: { up: (builder: MigrationBuilder) => builder.sql(sql) } };
    }),
  );
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS_MAX, keepAlive: true });
  client.on('error', () => undefined); // What fails the question is told there.
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function withStorage(url: string, work: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = openStorage({
    settings: { CARILLON_DATABASE_URL: url, CARILLON_SHARD_DATABASES: '', CARILLON_DATABASE_QUERY_SECONDS_MAX: 60 },
    connections: 1,
    log: createLog({ level: 'warn', fields: { role: 'migrate' } }),
  });
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}
