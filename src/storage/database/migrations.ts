import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { HomeDb, ShardDb, Storage } from './database.ts';

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
 * Returns the migrations of this version that at least one of the shard databases lacks. Unavailable databases are
 * skipped, because the other databases are served without them.
 */
export async function findMissingShardMigrations({ shards }: Storage): Promise<string[]> {
  const ignoreUnavailable = (error: unknown) => {
    if (error instanceof Unavailable) return [];
    throw error;
  };
  const missing = await Promise.all(
    shards.all.map((db) => findMissingMigrations(db, 'shard').catch(ignoreUnavailable)),
  );
  return [...new Set(missing.flat())];
}

async function findAppliedMigrations(db: HomeDb | ShardDb, table: string): Promise<string[]> {
  const [tableCheck] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!tableCheck?.there) return [];
  const rows = await db.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map(({ name }) => name);
}
