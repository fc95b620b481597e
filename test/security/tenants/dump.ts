import assert from 'node:assert/strict';
import type { Storage } from '#src/storage/database/database.ts';
import { tablesOf } from '../../support/database-tables.ts';

/** Rows as text, by the database's place in the list and the table. */
export type Dump = ReadonlyMap<string, readonly string[]>;

/** Whose rows are in tables that do not say it themselves. */
const appFilterByTable: Readonly<Record<string, string>> = {
  slice_targets: 'task_id in (select task_id from slices where app_id = $1)',
  sessions: 'device_id in (select device_id from devices where app_id = $1)',
  limit_points: "key like $1 || ' %'",
};
/** Provider tokens are those of an account at a vendor, whichever apps use it. */
const tablesWithoutApp = ['gateways', 'home_migrations', 'provider_tokens', 'shard_migrations'];
/** What moves by itself: a gateway may announce a session again, and what is not finished is looked at now and then. */
const volatileColumns: Readonly<Record<string, string>> = { sessions: 'epoch', tasks: 'next_at' };

/** Every row of an app in every table of every database. A table of which nobody said whose its rows are fails. */
export async function dumpApp({ home, shards }: Storage, appId: string): Promise<Dump> {
  const dump = new Map<string, string[]>();
  for (const [place, db] of [home, ...shards.all].entries())
    for (const { table, hasApp } of await tablesOf(db)) {
      if (tablesWithoutApp.includes(table)) continue;
      const where = hasApp ? 'app_id = $1' : appFilterByTable[table];
      assert.ok(where, `${table}: whose are its rows?`);
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

/** The tables in which there is no row, whichever the database. */
export function emptyTables(dump: Dump): string[] {
  const names = new Set([...dump.keys()].map(tableOf));
  return [...names].filter((name) => [...dump].every(([key, rows]) => tableOf(key) !== name || rows.length === 0));
}

/** What is in one dump and not in the other. */
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
