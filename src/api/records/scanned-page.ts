import { SCANNED_ROWS_MAX, type ScannedRow } from '#src/storage/database/scanned-pages.ts';

/**
 * Returns up to `sizeMax` matching rows of a filtered list, and the cursor of the next page. `rows` has one row more if
 * more rows match. The page can be shorter, or empty, if many rows were read that do not match.
 */
export function toScannedPage<T extends ScannedRow>(
  rows: readonly T[],
  sizeMax: number,
  idOf: (row: T) => bigint,
): { list: T[]; next: bigint | null } {
  const read = rows.slice(0, sizeMax);
  const last = read.at(-1);
  const hasMore = rows.length > sizeMax || last?.scanned === SCANNED_ROWS_MAX;
  return { list: read.filter(({ isMatch }) => isMatch), next: hasMore && last ? idOf(last) : null };
}
