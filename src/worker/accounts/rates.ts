import type { Outcome } from '#src/domain/outcome.ts';
import type { Lane } from '#src/domain/task.ts';
import { accountKey } from '#src/domain/vendor-account/account-key.ts';
import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import { admitPlaces, costOf, rateLimitDelayMs, rateLimitOf } from '#src/domain/vendor-account/rate-limit.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { halveRate, type PermitRequest, startRamp, takePermits } from '#src/storage/accounts/rates.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import type { VendorLimits } from '#src/vendors/vendor.ts';
import { workerMetrics } from '../metrics.ts';

/** A worker requests permits for at least a quarter of a second, so that it need not query for every notification. */
const CHUNK_SECONDS = 0.25;
/** Unused permits expire after this time, because they would add to the permits of the next second. */
const PERMIT_TTL_MS = 1_000;
const ACCOUNTS_MAX = 10_000;

interface PermitGrant {
  permits: number;
  readonly perSecond: number;
  readonly grantedAt: number;
}

/** An account and the rate limit agreed with the vendor. Null means that no rate limit was agreed. */
export interface RateLimitedAccount extends AccountKey {
  readonly perSecond: number | null;
}

/** The permits that this worker has taken from the permits that all workers share. */
export class Rates {
  readonly #db: HomeDb;
  readonly #grants = new BoundedMap<string, PermitGrant>(ACCOUNTS_MAX);

  constructor(db: HomeDb) {
    this.#db = db;
  }

  /** Returns how many places of each slice can be sent now, and the delay until the rest can be tried again. */
  async admit(
    account: RateLimitedAccount,
    limits: VendorLimits,
    lane: Lane,
    placeCounts: readonly number[],
  ): Promise<{ readonly counts: readonly number[]; readonly retryAfterMs: number }> {
    const limit = rateLimitOf(limits.perSecond, account.perSecond);
    if (!limit) return { counts: placeCounts, retryAfterMs: 0 };
    const costs = placeCounts.map((placeCount) => ({
      placeCount,
      cost: costOf(placeCount, limit.unit, limits.tokensPerRequest),
    }));
    const wanted = costs.reduce((sum, { cost }) => sum + cost, 0);
    const request = { limitPerSecond: limit.count, isPrompt: lane === 'prompt', rampSeconds: limits.rampSeconds };
    const grant = await this.#acquire(account, wanted, request);
    const used = Math.min(grant.permits, wanted);
    grant.permits -= used;
    if (used === wanted) return { counts: placeCounts, retryAfterMs: 0 };
    workerMetrics.rateLimited.inc({ channel: account.channel });
    return {
      counts: admitPlaces(costs, used),
      retryAfterMs: rateLimitDelayMs(wanted - used, grant.perSecond, Math.random),
    };
  }

  /** Halves the rate of an account for all workers if the vendor has throttled it. */
  async recordOutcomes(account: AccountKey, outcomes: readonly Outcome[]): Promise<void> {
    if (!outcomes.some((outcome) => outcome.kind === 'throttled' && outcome.account)) return;
    this.#grants.delete(accountKey(account));
    await halveRate(this.#db, account);
  }

  /** Starts a large send gradually. */
  async startRamp(account: RateLimitedAccount, limits: VendorLimits): Promise<void> {
    const limit = rateLimitOf(limits.perSecond, account.perSecond);
    if (!limit) return;
    this.#grants.delete(accountKey(account));
    await startRamp(this.#db, account, limit.count);
  }

  async #acquire(account: AccountKey, wanted: number, request: Omit<PermitRequest, 'requested'>): Promise<PermitGrant> {
    const key = accountKey(account);
    const previous = this.#grants.get(key);
    const isFresh = previous && performance.now() - previous.grantedAt < PERMIT_TTL_MS;
    if (isFresh && previous.permits >= wanted) return previous;
    const remaining = isFresh ? previous.permits : 0;
    const grantedAt = performance.now();
    const { granted, perSecond } = await takePermits(this.#db, account, {
      ...request,
      requested: Math.ceil(Math.max(wanted - remaining, request.limitPerSecond * CHUNK_SECONDS)),
    });
    // Another call may have used or replaced the previous grant during the query.
    const current = this.#grants.get(key);
    const grant = {
      permits: granted + (current && current === previous && isFresh ? current.permits : 0),
      perSecond,
      grantedAt,
    };
    this.#grants.set(key, grant);
    return grant;
  }
}
