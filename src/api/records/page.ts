import { PAGE_DEFAULT } from '#src/contract/schemas/fields.ts';

/**
 * Reads one page of rows and the cursor of the next page. One row more than the page size is read, to find out whether
 * another page exists.
 */
export async function readPage<T>(
  { after = null, limit = PAGE_DEFAULT }: { readonly after?: bigint | null; readonly limit?: number },
  read: (after: bigint | null, limit: number) => Promise<T[]>,
  idOf: (row: T) => bigint,
): Promise<{ list: T[]; next: bigint | null }> {
  const rows = await read(after, limit + 1);
  const list = rows.slice(0, limit);
  const last = list.at(-1);
  return { list, next: rows.length > limit && last !== undefined ? idOf(last) : null };
}
