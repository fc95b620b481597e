import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { HomeDb, ShardDb } from './database.ts';

export type DatabaseKind = 'home' | 'shard';

/** The folder with the numbered migration files, and the table in which a database records the applied migrations. */
export const migrationsFolder = (kind: DatabaseKind): string =>
  fileURLToPath(new URL(`../../../migrations/${kind}`, import.meta.url));
export const migrationsTable = (kind: DatabaseKind): string => `${kind}_migrations`;

/** The difference between the migrations of a database and those of this version. */
export interface MigrationGap {
  /** Migrations of this version that the database lacks. The database must be migrated. */
  readonly missing: readonly string[];
  /**
   * Migrations in the database that are not part of this version. A newer version has applied them, and this version is
   * compatible with them.
   */
  readonly unknown: readonly string[];
}

export async function findMigrationGap(db: HomeDb | ShardDb, kind: DatabaseKind): Promise<MigrationGap> {
  const files = await readdir(migrationsFolder(kind));
  const expected = files.filter((file) => file.endsWith('.sql')).map((file) => file.replace(/\.sql$/, ''));
  const applied = new Set(await findAppliedMigrations(db, migrationsTable(kind)));
  return {
    missing: expected.filter((name) => !applied.has(name)).sort(),
    unknown: [...applied].filter((name) => !expected.includes(name)).sort(),
  };
}

/** Returns the migrations of this version that a database lacks, such as `home/0001-first-schema`. */
export async function findMissingMigrations(db: HomeDb | ShardDb, kind: DatabaseKind): Promise<string[]> {
  return (await findMigrationGap(db, kind)).missing.map((name) => `${kind}/${name}`);
}

/**
 * Returns the migrations of this version that a shard database lacks. An unavailable database counts as complete,
 * because the other databases are served without it.
 */
export async function findMissingShardMigrations(db: ShardDb): Promise<string[]> {
  try {
    return await findMissingMigrations(db, 'shard');
  } catch (error) {
    if (error instanceof Unavailable) return [];
    throw error;
  }
}

async function findAppliedMigrations(db: HomeDb | ShardDb, table: string): Promise<string[]> {
  const [tableCheck] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!tableCheck?.there) return [];
  const rows = await db.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map(({ name }) => name);
}
