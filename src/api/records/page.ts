import { PAGE_DEFAULT } from '#src/contract/schemas/fields.ts';

/** One page of rows, and from where the next one goes on. One row more is read than told, to know whether there is one. */
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
