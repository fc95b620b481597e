import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { createLog } from '#src/foundation/log.ts';
import { openTruth, type Truth } from './database.ts';
import { ensureHomePartitions, ensureShardPartitions } from './partitions.ts';

/** Brings the home database to this version. Safe to run twice, and from several places at once. */
export async function migrateHome(url: string): Promise<void> {
  await runMigrations(url, 'home');
  await withTruth(url, (truth) => ensureHomePartitions(truth.home));
}

/** Brings a shard database to this version. May be the same database as home: the tables have different names. */
export async function migrateShard(url: string): Promise<void> {
  await runMigrations(url, 'shard');
  await withTruth(url, (truth) => ensureShardPartitions(truth.shards.of(0)));
}

export type MigratedKind = 'home' | 'shard';

/** Where the numbered files are, and where a database keeps which of them it has had. */
export const migrationsFolder = (kind: MigratedKind): string =>
  fileURLToPath(new URL(`../../migrations/${kind}`, import.meta.url));
export const migrationsTable = (kind: MigratedKind): string => `${kind}_migrations`;

async function runMigrations(url: string, kind: MigratedKind): Promise<void> {
  await runner({
    databaseUrl: url,
    dir: migrationsFolder(kind),
    migrationsTable: migrationsTable(kind),
    direction: 'up',
    checkOrder: true,
    singleTransaction: false,
    advisoryLockMode: 'wait',
    log: () => undefined,
  });
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
