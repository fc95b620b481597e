import { readdir } from 'node:fs/promises';
import type { HomeDb, ShardDb } from './database.ts';
import { type MigratedKind, migrationsFolder, migrationsTable } from './migrate.ts';

/** How the migrations of a database differ from those of this version. */
export interface MigrationGap {
  /** Of this version, and not in the database: it has to be migrated. */
  readonly missing: readonly string[];
  /** In the database, and unknown here: a newer version has migrated it. */
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

async function findDone(db: HomeDb | ShardDb, table: string): Promise<string[]> {
  const [found] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!found?.there) return [];
  const rows = await db.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map(({ name }) => name);
}
