import { createHash } from 'node:crypto';
import type { HomeDb, ShardDb, Storage } from '#src/storage/database/database.ts';
import { tablesOf } from '../../support/database-tables.ts';

/** A place in a database that contains a mark. */
export interface Found {
  readonly table: string;
  readonly column: string;
  /** The name of the mark. */
  readonly mark: string;
  readonly value: string;
}

/**
 * Searches every column of every table in every database for texts, and for their hashes. A number is found only as a
 * whole number.
 */
export async function searchDatabases(
  { home, shards }: Storage,
  marks: Readonly<Record<string, string>>,
): Promise<Found[]> {
  const tests = Object.entries(marks).map(([mark, text]) => ({ mark, isIn: containment(text) }));
  const found: Found[] = [];
  for (const db of new Set<HomeDb | ShardDb>([home, ...shards.all]))
    for (const { table } of await tablesOf(db))
      for (const { column, value } of await valuesOf(db, table))
        for (const { mark, isIn } of tests) if (isIn(value)) found.push({ table, column, mark, value });
  return found;
}

function containment(text: string): (value: string) => boolean {
  if (/^\d+$/.test(text)) {
    const pattern = new RegExp(`(?<!\\d)${text}(?!\\d)`);
    return (value) => pattern.test(value);
  }
  const hash = createHash('sha256').update(text).digest();
  const forms = [text, Buffer.from(text).toString('hex'), hash.toString('hex'), hash.toString('base64url')];
  return (value) => forms.some((form) => value.includes(form));
}

/** Returns the values of all columns of a table as text. Values of the type `bytea` are hexadecimal. */
async function valuesOf(db: HomeDb | ShardDb, table: string): Promise<{ column: string; value: string }[]> {
  return db.query(
    `select e.key as column, e.value from ${table} t, lateral json_each_text(row_to_json(t)) as e where e.value is not null`,
  );
}
