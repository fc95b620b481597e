import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { Log } from '#src/foundation/log.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { type LastReceipt, saveLastReceipt } from '#src/storage/accounts/last-receipts.ts';
import type { HomeDb } from '#src/storage/database/database.ts';

const VENDORS_MAX = 10_000;
/** A process writes the time of a vendor at most once a minute, however many receipts arrive. */
const REPEATED_MS = 60_000;
/** At most this many writes run at the same time, so that a slow database does not collect them. Others are omitted. */
const WRITES_MAX = 20;

/** Records when vendors last reported a receipt, for operators. Receipts never wait for it, and a write may be lost. */
export class LastReceipts {
  readonly #db: HomeDb;
  readonly #log: Log;
  readonly #writtenAtMs = new BoundedMap<string, number>(VENDORS_MAX);
  #writeCount = 0;

  constructor(db: HomeDb, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Starts to write the time of a receipt if it is due. Does not wait for the write. */
  record({ appId, channel, at }: LastReceipt): void {
    const key = JSON.stringify([appId, channel]);
    const nowMs = performance.now();
    const writtenAtMs = this.#writtenAtMs.get(key);
    if (this.#writeCount >= WRITES_MAX || (writtenAtMs !== undefined && nowMs - writtenAtMs < REPEATED_MS)) return;
    // Also kept if the write fails, so that an outage does not lead to a write for each receipt.
    this.#writtenAtMs.set(key, nowMs);
    this.#writeCount++;
    void saveLastReceipt(this.#db, { appId, channel, at })
      .catch((error: unknown) => {
        if (!(error instanceof Unavailable)) this.#log.warn('last-receipt-not-saved', { appId, channel, error });
      })
      .finally(() => this.#writeCount--);
  }
}
