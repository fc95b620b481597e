/**
 * Maximum number of rows that one statement of a filtered list reads. A filter that few rows match would otherwise read
 * the whole list for one page.
 */
export const SCANNED_ROWS_MAX = 5_000;

/** A row of a filtered list. */
export interface ScannedRow {
  /** False for the last row that was read, if it does not match the filter. It is returned as the end of the page. */
  readonly isMatch: boolean;
  /** Number of rows that were read up to this row. */
  readonly scanned: number;
}
