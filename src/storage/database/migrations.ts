import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { HomeDb, ShardDb, Truth } from './database.ts';

export type MigratedKind = 'home' | 'shard';

/** Where the numbered files are, and where a database keeps which of them it has had. */
export const migrationsFolder = (kind: MigratedKind): string =>
  fileURLToPath(new URL(`../../../migrations/${kind}`, import.meta.url));
export const migrationsTable = (kind: MigratedKind): string => `${kind}_migrations`;

/** How the migrations of a database differ from those of this version. */
export interface MigrationGap {
  /** Of this version, and not in the database: it has to be migrated. */
  readonly missing: readonly string[];
  /** In the database, and unknown here: a newer version has migrated it, which this one can work with. */
  readonly unknown: readonly string[];
}

export async function findMigrationGap(db: HomeDb | ShardDb, kind: MigratedKind): Promise<MigrationGap> {
  const files = await readdir(migrationsFolder(kind));
  const ours = files.filter((file) => file.endsWith('.sql')).map((file) => file.replace(/\.sql$/, ''));
  const done = new Set(await findDone(db, migrationsTable(kind)));
  return {
    missing: ours.filter((name) => !done.has(name)).sort(),
    unknown: [...done].filter((name) => !ours.includes(name)).sort(),
  };
}

/**
 * What this version needs and any of the databases lacks, as `home/0010-agreed-rates`. A shard database that is away is not
 * asked: the others are served without it.
 */
export async function findMissingMigrations({ home, shards }: Truth): Promise<string[]> {
  const missingOf = async (db: HomeDb | ShardDb, kind: MigratedKind) =>
    (await findMigrationGap(db, kind)).missing.map((name) => `${kind}/${name}`);
  const unlessAway = (error: unknown) => {
    if (error instanceof Unavailable) return [];
    throw error;
  };
  const found = await Promise.all([
    missingOf(home, 'home'),
    ...shards.all.map((db) => missingOf(db, 'shard').catch(unlessAway)),
  ]);
  return [...new Set(found.flat())];
}

async function findDone(db: HomeDb | ShardDb, table: string): Promise<string[]> {
  const [found] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!found?.there) return [];
  const rows = await db.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map(({ name }) => name);
}
