import { LEASE_MARGIN_SECONDS, leaseCovers } from '#src/domain/lease.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { WorkerContext } from '../context.ts';

/**
 * Returns whether the lease lasts long enough for an irreversible action of this duration and for writing its result.
 */
export function leaseStillCovers({ settings }: WorkerContext, acquiredAtMs: number, seconds: number): boolean {
  const lease = { acquiredAtMs, leaseMs: settings.CARILLON_LEASE_SECONDS * 1_000 };
  return leaseCovers(lease, performance.now(), (seconds + LEASE_MARGIN_SECONDS) * 1_000);
}

/** A lease is renewed this many times before it would end. */
const RENEWALS_PER_LEASE = 3;

/** Runs work, and calls `renew` regularly until it ends, so that no other worker claims the same work. */
export async function renewDuring<T>(
  { settings, log }: WorkerContext,
  renew: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let isFirst = true;
  const renewal = repeat({
    pauseMs: (settings.CARILLON_LEASE_SECONDS * 1_000) / RENEWALS_PER_LEASE,
    work: async () => {
      if (!isFirst) await renew();
      isFirst = false;
    },
    onError: (error) => log.warn('lease-not-renewed', { error }),
  });
  try {
    return await work();
  } finally {
    await renewal.stop();
  }
}
