/** The pending references: of received or of clicked notifications. */
export type ReceiptList = 'receipts' | 'clicks';

/** The maximum number of receipts in one call. */
const RECEIPTS_PER_CALL = 100;
/**
 * Maximum number of pending receipts. Beyond this limit, the oldest are discarded, and their notifications are not
 * counted as received.
 */
export const PENDING_RECEIPTS_MAX = 1_000;

/** Error codes for a missing, invalid or expired token. */
const SIGNED_OUT_CODES = new Set([402, 10003, 10008]);
/** Error codes for too many requests, a ceiling of the app, an internal error, and temporarily unavailable. */
const RETRYABLE_CODES = new Set([12029, 12030, 50000, 50003]);

/** Returns the body of the next call of `/device/receipt`. */
export const receiptRequest = (
  list: ReceiptList,
  pending: readonly string[],
): { list: string[]; event?: 'clicked' } => ({
  list: pending.slice(0, RECEIPTS_PER_CALL),
  ...(list === 'clicks' && { event: 'clicked' }),
});

/**
 * Returns what happens to receipts after an error code: they are sent again, wait for another login, or are discarded,
 * because they would be refused again.
 */
export function receiptOutcome(errorCode: number): 'again' | 'signed-out' | 'refused' {
  if (RETRYABLE_CODES.has(errorCode)) return 'again';
  return SIGNED_OUT_CODES.has(errorCode) ? 'signed-out' : 'refused';
}
