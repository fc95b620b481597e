export type CsvCell = string | number | bigint | null;

/** Excel reads UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Returns a CSV file (RFC 4180) with a header row. */
export const toCsv = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  BYTE_ORDER_MARK + [header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('');

function toCell(value: CsvCell): string {
  const text = value === null ? '' : String(value);
  // A spreadsheet would run a title such as `=HYPERLINK(…)` as a formula.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
