/** Credentials that expire within this time need attention, because some vendors take days to issue new ones. */
export const EXPIRY_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

export type Expiry = 'none' | 'later' | 'soon' | 'expired';

export function expiryOf(expire: bigint | null, nowMs: number): Expiry {
  if (expire === null) return 'none';
  const leftMs = Number(expire) - nowMs;
  if (leftMs <= 0) return 'expired';
  return leftMs <= EXPIRY_DAYS * DAY_MS ? 'soon' : 'later';
}
