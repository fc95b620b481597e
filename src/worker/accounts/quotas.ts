import type { Outcome } from '#src/domain/outcome.ts';
import type { GateKey } from '#src/domain/vendor-account/breaker.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { findSpentQuotas, type SpentQuota, spendQuota } from '#src/storage/accounts/quotas.ts';
import type { HomeDb } from '#src/storage/database/database.ts';

/** What another worker has learned is seen within this time. */
const FRESH_MS = 1_000;
const APPS_MAX = 1_000;

/** The daily allowances that are spent. Nobody is called on one: some vendors give less to those who go on. */
export class Quotas {
  readonly #db: HomeDb;
  readonly #clock: DatabaseClock;
  readonly #log: Log;
  readonly #known = new Map<string, { readonly spent: readonly SpentQuota[]; readonly readAt: number }>();

  constructor(options: { db: HomeDb; clock: DatabaseClock; log: Log }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Until when an account's allowance for messages of a class is spent, if it is. */
  async spentUntil({ appId, channel, environment }: GateKey, messageClass: string): Promise<Date | undefined> {
    const now = this.#clock.now();
    const found = (await this.#of(appId)).find(
      (quota) => quota.channel === channel && quota.environment === environment && quota.class === messageClass,
    );
    return found && found.spentUntil > now ? found.spentUntil : undefined;
  }

  /** What a vendor has answered messages of a class. */
  async learn(account: GateKey, messageClass: string, outcomes: readonly Outcome[]): Promise<void> {
    const spent = outcomes.filter((outcome) => outcome.kind === 'quota-spent').find(({ device }) => device !== true);
    if (!spent) return;
    const { appId, channel, environment } = account;
    const fresh = await spendQuota(this.#db, account, messageClass, spent.until);
    this.#known.delete(appId);
    if (!fresh) return;
    this.#log.warn('quota-spent', { appId, channel, environment, class: messageClass, until: spent.until });
  }

  async #of(appId: string): Promise<readonly SpentQuota[]> {
    const known = this.#known.get(appId);
    if (known && performance.now() - known.readAt < FRESH_MS) return known.spent;
    const readAt = performance.now();
    const spent = await findSpentQuotas(this.#db, appId);
    this.#known.delete(appId);
    this.#known.set(appId, { spent, readAt });
    if (this.#known.size > APPS_MAX) this.#known.delete(this.#known.keys().next().value as string);
    return spent;
  }
}
