import type { Outcome } from '#src/domain/outcome.ts';
import { accountKey } from '#src/domain/vendor-account/account-key.ts';
import { isWriteDue, representativeOf, type WrittenResponse } from '#src/domain/vendor-account/last-response.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { saveLastResponse } from '#src/storage/accounts/last-responses.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import type { BreakerAccount } from './breakers.ts';

const ACCOUNTS_MAX = 10_000;
/** At most this many writes run at the same time, so that a slow database does not collect them. Others are omitted. */
const WRITES_MAX = 20;

/** Records how vendors answered last, for operators. Sending never waits for it, and a lost write changes nothing else. */
export class LastResponses {
  readonly #db: HomeDb;
  readonly #clock: DatabaseClock;
  readonly #log: Log;
  readonly #written = new BoundedMap<string, WrittenResponse>(ACCOUNTS_MAX);
  #writeCount = 0;

  constructor(options: { db: HomeDb; clock: DatabaseClock; log: Log }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Starts to write the response of an account if it is due. Does not wait for the write. */
  recordOutcomes(account: BreakerAccount, outcomes: readonly Outcome[]): void {
    const response = representativeOf(outcomes);
    if (!response || this.#writeCount >= WRITES_MAX) return;
    const { appId, channel, environment, version } = account;
    const { kind } = response;
    const nowMs = performance.now();
    if (!isWriteDue(this.#written.get(accountKey(account)), { kind, version }, nowMs)) return;
    // Also kept if the write fails, so that an outage does not lead to a write for each call.
    this.#written.set(accountKey(account), { version, kind, writtenAtMs: nowMs });
    this.#writeCount++;
    void saveLastResponse(this.#db, { appId, channel, environment, version, ...response, at: this.#clock.now() })
      .catch((error: unknown) => {
        if (!(error instanceof Unavailable)) this.#log.warn('last-response-not-saved', { appId, channel, error });
      })
      .finally(() => this.#writeCount--);
  }
}
