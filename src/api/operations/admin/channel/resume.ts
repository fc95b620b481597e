import { setTimeout as sleep } from 'node:timers/promises';
import { adminChannelResume } from '#src/contract/admin/channel/resume.ts';
import { type Environment, type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { recentTaskRange } from '#src/domain/task.ts';
import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import { findTrippedBreakers, resetBreaker } from '#src/storage/accounts/breakers.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import { retryWaitingSlices } from '#src/storage/ledger/waiting-slices.ts';
import type { Route } from '../../../context.ts';

/**
 * Workers cache breakers for a second. A slice that is due earlier would be postponed by a worker that still knows the
 * breaker as tripped.
 */
const WORKERS_INFORMED_MS = 1_200;
/** At most this many slices per database are retried immediately, because the statement locks them. */
const SLICES_MAX = 1_000;

export const adminChannelResumeRoute: Route<typeof adminChannelResume> = {
  operation: adminChannelResume,
  handle: async ({ storage: { home, shards }, clock }, { app: { appId }, body }) => {
    const key: AccountKey = {
      appId,
      channel: vendorByProvider[body.provider] as VendorName,
      environment: (body.environment ?? 1) as Environment,
    };
    const isSameAccount = ({ channel, environment }: AccountKey) =>
      channel === key.channel && environment === key.environment;
    const certificate = (await findCertificates(home, appId)).find(isSameAccount);
    if (!certificate) throw new Problem('no-certificate');
    const breaker = (await findTrippedBreakers(home, appId)).find(isSameAccount);
    if (!breaker) return { resumed: false };
    const wasReset = await resetBreaker(home, key, certificate.version, 'answered');
    // A circuit breaker that tripped under an older version of the credentials did not pause the channel.
    if (!wasReset || breaker.version !== certificate.version) return { resumed: false };
    await sleep(WORKERS_INFORMED_MS);
    // The slices of an unavailable database are retried at their next attempt.
    await settleAvailable(
      shards.all.map((db) => retryWaitingSlices(db, key, [0n, recentTaskRange(clock.now())[1]], SLICES_MAX)),
    );
    return { resumed: true };
  },
};
