/** After the deadline of its calls a holder must still be able to write what came of them. */
export const LEASE_MARGIN_SECONDS = 2;

export interface Lease {
  /** The holder's monotonic clock before the write that gave it the lease, so that the lease cannot end sooner. */
  readonly acquiredAtMs: number;
  readonly leaseMs: number;
}

/**
 * Whether something may still be begun under a lease that takes so long. Every write says its epoch, but what leaves for
 * devices cannot be taken back: a holder that stood still would send what somebody else sends already, what was
 * cancelled meanwhile, or to a device that has changed hands long ago.
 */
export function leaseCovers({ acquiredAtMs, leaseMs }: Lease, nowMs: number, durationMs: number): boolean {
  return nowMs + durationMs <= acquiredAtMs + leaseMs;
}
