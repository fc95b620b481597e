import { setTimeout as sleep } from 'node:timers/promises';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import pg from 'pg';
import { createLog } from '#src/foundation/log.ts';
import { openTruth, type Truth } from './database.ts';
import { type MigratedKind, migrationsFolder, migrationsTable } from './migrations.ts';
import { ensureHomePartitions, ensureShardPartitions } from './partitions.ts';

/** Brings the home database to this version. Safe to run twice, and from several places at once. */
export async function migrateHome(url: string): Promise<void> {
  await untilUnlocked(() => runMigrations(url, 'home'));
  await untilUnlocked(() => withTruth(url, (truth) => ensureHomePartitions(truth.home)));
}

/** Brings a shard database to this version. May be the same database as home: the tables have different names. */
export async function migrateShard(url: string): Promise<void> {
  await untilUnlocked(() => runMigrations(url, 'shard'));
  await untilUnlocked(() => withTruth(url, (truth) => ensureShardPartitions(truth.shards.of(0))));
}

/** Roles are at work, and whoever comes after a statement that waits for its table waits behind it: so it gives up soon. */
const LOCK_MS_MAX = 2_000;
/** So for a minute and a half: a transaction of ours takes a minute at most. */
const TRIES_MAX = 30;
const TRY_AGAIN_MS = 1_000;
const CONNECT_MS_MAX = 10_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Each migration and each partition is a transaction, so one that did not get its lock has left nothing behind. */
async function untilUnlocked(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || tries === TRIES_MAX) throw error;
      await sleep(TRY_AGAIN_MS);
    }
}

async function runMigrations(url: string, kind: MigratedKind): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS_MAX });
  await client.connect();
  try {
    // For as long as it takes: somebody else who migrates is waited for. It is let go with the connection.
    await client.query('select pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID]);
    await client.query(`set lock_timeout = ${LOCK_MS_MAX}`);
    await runner({
      dbClient: client,
      noLock: true,
      dir: migrationsFolder(kind),
      migrationsTable: migrationsTable(kind),
      direction: 'up',
      checkOrder: true,
      singleTransaction: false,
      log: () => undefined,
    });
  } finally {
    await client.end();
  }
}

async function withTruth(url: string, work: (truth: Truth) => Promise<void>): Promise<void> {
  const truth = openTruth({
    settings: { CARILLON_DATABASE_URL: url, CARILLON_SHARD_DATABASES: '', CARILLON_DATABASE_QUERY_SECONDS_MAX: 60 },
    connections: 1,
    log: createLog({ level: 'warn', fields: { role: 'migrate' } }),
  });
  try {
    await work(truth);
  } finally {
    await truth.close();
  }
}
