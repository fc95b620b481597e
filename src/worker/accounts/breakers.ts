import type { Outcome } from '#src/domain/outcome.ts';
import { accountKey } from '#src/domain/vendor-account/account-key.ts';
import {
  type AccountKey,
  breakerDelayMs,
  judgeBreaker,
  type TrippedBreaker,
} from '#src/domain/vendor-account/breaker.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { claimProbe, findTrippedBreakers, resetBreaker, tripBreaker } from '#src/storage/accounts/breakers.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { withAdvice } from '#src/vendors/sender.ts';
import { workerMetrics } from '../metrics.ts';

/** Every worker sees within this time that another worker has tripped or reset a breaker. */
const CACHE_TTL_MS = 1_000;
const APPS_MAX = 1_000;
const ACCOUNTS_MAX = 10_000;

/** An account and the version of the credentials it is used with. */
export interface BreakerAccount extends AccountKey {
  readonly version: number;
}

/**
 * The circuit breakers of vendor accounts. A tripped breaker lets one call through every few seconds, counted over all
 * workers. The breaker is reset by newly saved credentials, or by a response that shows that the cause no longer
 * exists.
 */
export class Breakers {
  readonly #db: HomeDb;
  readonly #clock: DatabaseClock;
  readonly #log: Log;
  readonly #probeSeconds: number;
  readonly #cache = new BoundedMap<string, { readonly breakers: readonly TrippedBreaker[]; readonly readAt: number }>(
    APPS_MAX,
  );
  /** Consecutive unreachable outcomes, by account. */
  readonly #unreachable = new Map<string, number>();

  constructor(options: { db: HomeDb; clock: DatabaseClock; log: Log; probeSeconds: number }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#probeSeconds = options.probeSeconds;
  }

  /**
   * Returns how many of `callCount` calls an account may make now: all, one as a probe, or none. If the breaker tripped
   * because of suspect tokens, a probe is possible only if `hasTrusted` returns true.
   */
  async admit(
    account: BreakerAccount,
    callCount: number,
    hasTrusted: () => boolean,
  ): Promise<{ readonly allowedCalls: number; readonly probe: boolean }> {
    const breaker = await this.#breakerOf(account);
    if (!breaker) return { allowedCalls: callCount, probe: false };
    if (breaker.probeAt > this.#clock.now() || (breaker.suspect && !hasTrusted()))
      return { allowedCalls: 0, probe: false };
    const isProbeGranted = await claimProbe(this.#db, account, account.version, this.#probeSeconds);
    this.#invalidate(account.appId);
    return { allowedCalls: isProbeGranted ? 1 : 0, probe: isProbeGranted };
  }

  /** Returns whether none of these accounts can be called now. If so, the bindings of the devices need not be read. */
  async areAllTripped(accounts: readonly BreakerAccount[]): Promise<boolean> {
    for (const account of accounts) {
      const breaker = await this.#breakerOf(account);
      if (!breaker || breaker.probeAt <= this.#clock.now()) return false;
    }
    return accounts.length > 0;
  }

  /** Returns the delay until slices that wait for these accounts are tried again. */
  async retryDelayMs(accounts: readonly BreakerAccount[]): Promise<number> {
    const now = this.#clock.now().getTime();
    let trippedForMs = 0;
    for (const account of accounts) {
      const breaker = await this.#breakerOf(account);
      if (breaker) trippedForMs = Math.max(trippedForMs, now - breaker.trippedAt.getTime());
    }
    return breakerDelayMs(trippedForMs, this.#probeSeconds * 1_000, Math.random);
  }

  /** Records the outcomes of an account in order, and trips or resets its breaker. */
  async recordOutcomes(account: BreakerAccount, outcomes: readonly Outcome[]): Promise<void> {
    const { appId, channel, environment, version } = account;
    const key = accountKey(account);
    const verdict = judgeBreaker(outcomes, this.#unreachable.get(key) ?? 0);
    this.#unreachable.delete(key);
    if (verdict.unreachableCount > 0 && this.#unreachable.size < ACCOUNTS_MAX)
      this.#unreachable.set(key, verdict.unreachableCount);
    if (verdict.action === 'trip') {
      const { cause, suspect } = verdict;
      const reason = cause === 'locked-out' ? withAdvice(channel, verdict.reason) : verdict.reason;
      const isNew = await tripBreaker(
        this.#db,
        { appId, channel, environment, version, cause, reason, suspect },
        this.#probeSeconds,
      );
      this.#invalidate(appId);
      if (!isNew) return;
      workerMetrics.breakerTrips.inc({ channel, reason: cause });
      // An unreachable vendor recovers without an operator; rejected credentials do not.
      const fields = { appId, channel, environment, cause, reason };
      if (cause === 'locked-out') this.#log.error('breaker-tripped', fields);
      else this.#log.warn('breaker-tripped', fields);
    } else if (verdict.action !== 'keep' && (await this.#isKnownTripped(account))) {
      const wasReset = await resetBreaker(this.#db, account, version, verdict.action);
      this.#invalidate(appId);
      if (wasReset) this.#log.info('breaker-reset', { appId, channel, environment });
    }
  }

  async #breakerOf({ version, ...key }: BreakerAccount): Promise<TrippedBreaker | undefined> {
    const breakers = await this.#load(key.appId);
    return breakers.find((breaker) => isSameAccount(breaker, key) && breaker.version === version);
  }

  /**
   * Returns whether the account has a tripped breaker, including one for older credentials, because an outcome under
   * the new credentials resets it too.
   */
  async #isKnownTripped(account: BreakerAccount): Promise<boolean> {
    return (await this.#load(account.appId)).some((breaker) => isSameAccount(breaker, account));
  }

  async #load(appId: string): Promise<readonly TrippedBreaker[]> {
    const cached = this.#cache.get(appId);
    if (cached && performance.now() - cached.readAt < CACHE_TTL_MS) return cached.breakers;
    const loaded = { breakers: await findTrippedBreakers(this.#db, appId), readAt: performance.now() };
    this.#cache.set(appId, loaded);
    return loaded.breakers;
  }

  #invalidate(appId: string): void {
    this.#cache.delete(appId);
  }
}

const isSameAccount = (
  breaker: AccountKey,
  { channel, environment }: Pick<AccountKey, 'channel' | 'environment'>,
): boolean => breaker.channel === channel && breaker.environment === environment;
