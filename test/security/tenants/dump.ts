import assert from 'node:assert/strict';
import type { Storage } from '#src/storage/database/database.ts';
import { tablesOf } from '../../support/database-tables.ts';

/** Rows as text. The key consists of the index of the database and the name of the table. */
export type Dump = ReadonlyMap<string, readonly string[]>;

/** Conditions that select the rows of an app in tables without an `app_id` column. */
const appFilterByTable: Readonly<Record<string, string>> = {
  slice_targets: 'task_id in (select task_id from slices where app_id = $1)',
  reported_states: 'device_id in (select device_id from devices where app_id = $1)',
  sessions: 'device_id in (select device_id from devices where app_id = $1)',
  limit_points: "key like $1 || ' %'",
};
/** Tables whose rows belong to no app. Provider tokens belong to a vendor account, which several apps can share. */
const tablesWithoutApp = [
  'master_key_checks',
  ...['operators', 'operator_sessions'],
  ...['audit_chain', 'bucket_map', 'bucket_map_version', 'gateways', 'home_migrations', 'provider_tokens'],
  'shard_migrations',
  // Counts that are refreshed in the background.
  ...['app_usage', 'app_sessions', 'daily_counts', 'daily_count_days', 'daily_count_checks'],
];
/**
 * Columns that change without a request: a gateway may announce a session again, and unfinished tasks and recalls are
 * polled.
 */
const volatileColumns: Readonly<Record<string, string>> = { sessions: 'epoch', tasks: 'next_at', recalls: 'next_at' };

/** Returns every row of an app in every table of every database. Fails for a table without a known relation to apps. */
export async function dumpApp({ home, shards }: Storage, appId: string): Promise<Dump> {
  const dump = new Map<string, string[]>();
  for (const [place, db] of [home, ...shards.all].entries())
    for (const { table, hasApp } of await tablesOf(db)) {
      if (tablesWithoutApp.includes(table)) continue;
      const where = hasApp ? 'app_id = $1' : appFilterByTable[table];
      assert.ok(where, `${table}: no condition selects the rows of an app`);
      const rows = await db.query<{ text: string }>(
        `select (to_jsonb(t) - '${volatileColumns[table] ?? ''}')::text as text from ${table} t where ${where} order by 1`,
        [appId],
      );
      dump.set(
        `${place} ${table}`,
        rows.map(({ text }) => text),
      );
    }
  return dump;
}

/** Returns the tables that have no rows in any database. */
export function emptyTables(dump: Dump): string[] {
  const names = new Set([...dump.keys()].map(tableOf));
  return [...names].filter((name) => [...dump].every(([key, rows]) => tableOf(key) !== name || rows.length === 0));
}

/** Returns the rows that only one of the dumps contains. */
export function differences(before: Dump, after: Dump, except: readonly string[] = []): string[] {
  const only = (a: Dump, b: Dump, word: string) =>
    [...a].flatMap(([key, rows]) => {
      const others = new Set(b.get(key));
      return except.includes(tableOf(key))
        ? []
        : rows.filter((row) => !others.has(row)).map((row) => `${word} ${key}: ${row}`);
    });
  return [...only(before, after, 'gone'), ...only(after, before, 'new')];
}

const tableOf = (key: string): string => key.split(' ')[1] as string;
