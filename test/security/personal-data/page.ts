import { readFileSync } from 'node:fs';

/** A row of the tables of stored data in `docs/operate/personal-data.md`. */
export interface StoredData {
  readonly table: string;
  readonly columns: readonly string[];
  readonly erasure: string;
}

/** Returns the tables and columns that the page lists, each with its cell about the erasure. */
export function storedData(language: 'operate' | 'zh/operate' = 'operate'): StoredData[] {
  const page = readFileSync(new URL(`../../../docs/${language}/personal-data.md`, import.meta.url), 'utf8');
  return [...page.matchAll(/^\| `(\w+)`: ((?:`\w+`(?:, )?)+) \|(.*)\|$/gm)].map(
    ([, table, columns = '', cells = '']) => ({
      table: table as string,
      columns: [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column as string),
      erasure: (cells.split('|').at(-1) as string).trim(),
    }),
  );
}
