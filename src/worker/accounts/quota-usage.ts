import { randomUUID } from 'node:crypto';
import type { Outcome } from '#src/domain/outcome.ts';
import type { AccountKey } from '#src/domain/vendor-account/breaker.ts';
import { QuotaUsageCounts } from '#src/domain/vendor-account/quota-usage.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { saveQuotaUsage } from '#src/storage/accounts/quota-usage.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { dailyQuotaOf } from '#src/vendors/sender.ts';

/** At most this many accounts are counted at the same time. An account has at most a few message classes. */
const ACCOUNTS_MAX = 10_000;
const SAVE_MS = 60_000;
/** The first devices after a pause are saved earlier, because an operator may be waiting for a test. */
const FIRST_SAVE_MS = 1_000;
const ROWS_PER_STATEMENT = 1_000;

/**
 * Counts the devices that vendors with a daily quota accept, for operators. Sending never waits for it. All accounts
 * are saved together, at most once a minute. A crash loses the devices of this time.
 */
export class QuotaUsageWriter {
  readonly #db: HomeDb;
  readonly #clock: DatabaseClock;
  readonly #log: Log;
  readonly #counts = new QuotaUsageCounts({ accountsMax: ACCOUNTS_MAX, newCounter: randomUUID });
  #savedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: { db: HomeDb; clock: DatabaseClock; log: Log }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Counts the accepted devices of one message class. */
  recordOutcomes(account: AccountKey, messageClass: string, outcomes: readonly Outcome[]): void {
    const quota = dailyQuotaOf(account.channel, account.environment);
    const devices = quota ? outcomes.filter(({ kind }) => kind === 'accepted').length : 0;
    if (!quota || devices === 0) return;
    this.#counts.add(account, messageClass, quota.endOfDay(this.#clock.now()), devices);
    this.#schedule();
  }

  /** Saves the devices that are not saved yet. No outcome may be recorded afterwards. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    await this.#save();
    clearTimeout(this.#timer); // set again if the write failed
  }

  #schedule(): void {
    if (this.#timer) return;
    const delayMs = Math.max(FIRST_SAVE_MS, this.#savedAtMs + SAVE_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#saving.then(() => this.#save());
    }, delayMs).unref();
  }

  async #save(): Promise<void> {
    this.#savedAtMs = performance.now();
    try {
      await this.#counts.save(this.#clock.now(), async (usage) => {
        for (let i = 0; i < usage.length; i += ROWS_PER_STATEMENT)
          await saveQuotaUsage(this.#db, usage.slice(i, i + ROWS_PER_STATEMENT));
      });
    } catch (error) {
      this.#log.warn('quota-usage-not-saved', { error });
      this.#schedule();
    }
  }
}
