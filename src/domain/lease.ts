/** Time that a holder needs after the deadline of its calls to write their results. */
export const LEASE_MARGIN_SECONDS = 2;

export interface Lease {
  /**
   * Reading of the holder's monotonic clock before the write that acquired the lease, so that the lease cannot end
   * earlier than assumed.
   */
  readonly acquiredAtMs: number;
  readonly leaseMs: number;
}

/**
 * Returns whether work of this duration fits into the rest of the lease. Writes are protected by their epoch, but
 * notifications to devices cannot be recalled. After a suspension, a holder could send notifications that another
 * worker already sends, that were cancelled, or whose device was logged out.
 */
export function leaseCovers({ acquiredAtMs, leaseMs }: Lease, nowMs: number, durationMs: number): boolean {
  return nowMs + durationMs <= acquiredAtMs + leaseMs;
}
