import type { HomeDb, ShardDb, Storage } from '#src/storage/database/database.ts';

/** Returns every table of a database, and whether it has an `app_id` column. Partitions are not listed separately. */
export async function tablesOf(db: HomeDb | ShardDb): Promise<{ table: string; hasApp: boolean }[]> {
  return db.query(
    `select c.relname as table,
            exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'app_id') as "hasApp"
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
}

/** Returns the rows in all databases that contain a string, as `table: row`. */
export async function findInAllTables({ home, shards }: Storage, text: string): Promise<string[]> {
  const matches: string[] = [];
  for (const db of [home, ...shards.all])
    for (const { table } of await tablesOf(db)) {
      const rows = await db.query<{ row: string }>(
        `select t::text as row from ${table} t where position($1 in t::text) > 0`,
        [text],
      );
      matches.push(...rows.map(({ row }) => `${table}: ${row}`));
    }
  return matches;
}
