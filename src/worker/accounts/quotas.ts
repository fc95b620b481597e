import type { Outcome } from '#src/domain/outcome.ts';
import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { type ExhaustedQuota, findExhaustedQuotas, markQuotaExhausted } from '#src/storage/accounts/quotas.ts';
import type { HomeDb } from '#src/storage/database/database.ts';

/** Every worker sees within this time that another worker found a quota exhausted. */
const CACHE_TTL_MS = 1_000;
const APPS_MAX = 1_000;

/**
 * The exhausted daily quotas. An account with an exhausted quota is not called, because some vendors reduce the quota
 * of apps that continue to send.
 */
export class Quotas {
  readonly #db: HomeDb;
  readonly #clock: DatabaseClock;
  readonly #log: Log;
  readonly #cache = new BoundedMap<string, { readonly exhausted: readonly ExhaustedQuota[]; readonly readAt: number }>(
    APPS_MAX,
  );

  constructor(options: { db: HomeDb; clock: DatabaseClock; log: Log }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /**
   * Returns the time until which an account's quota for a message class is exhausted, or undefined if it is not
   * exhausted.
   */
  async exhaustedUntil({ appId, channel, environment }: AccountKey, messageClass: string): Promise<Date | undefined> {
    const now = this.#clock.now();
    const exhaustedQuota = (await this.#load(appId)).find(
      (quota) => quota.channel === channel && quota.environment === environment && quota.class === messageClass,
    );
    return exhaustedQuota && exhaustedQuota.exhaustedUntil > now ? exhaustedQuota.exhaustedUntil : undefined;
  }

  /** Marks the account's quota for a message class as exhausted if one of the outcomes reports it. */
  async recordOutcomes(account: AccountKey, messageClass: string, outcomes: readonly Outcome[]): Promise<void> {
    const quotaOutcome = outcomes
      .filter((outcome) => outcome.kind === 'quota-spent')
      .find(({ device }) => device !== true);
    if (!quotaOutcome) return;
    const { appId, channel, environment } = account;
    const isNew = await markQuotaExhausted(this.#db, account, messageClass, quotaOutcome.until);
    this.#cache.delete(appId);
    if (!isNew) return;
    this.#log.warn('quota-spent', { appId, channel, environment, class: messageClass, until: quotaOutcome.until });
  }

  async #load(appId: string): Promise<readonly ExhaustedQuota[]> {
    const cached = this.#cache.get(appId);
    if (cached && performance.now() - cached.readAt < CACHE_TTL_MS) return cached.exhausted;
    const readAt = performance.now();
    const exhausted = await findExhaustedQuotas(this.#db, appId);
    this.#cache.set(appId, { exhausted, readAt });
    return exhausted;
  }
}
