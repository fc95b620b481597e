import { LEASE_MARGIN_SECONDS, leaseCovers } from '#src/domain/lease.ts';
import type { WorkerContext } from '../context.ts';

/**
 * Returns whether the lease lasts long enough for an irreversible action of this duration and for writing its result.
 */
export function leaseStillCovers({ settings }: WorkerContext, acquiredAtMs: number, seconds: number): boolean {
  const lease = { acquiredAtMs, leaseMs: settings.CARILLON_LEASE_SECONDS * 1_000 };
  return leaseCovers(lease, performance.now(), (seconds + LEASE_MARGIN_SECONDS) * 1_000);
}
