import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { accountKey } from './account-key.ts';
import type { AccountKey } from './breaker.ts';

/** The devices for which a vendor accepted a notification of one message class on one day of the vendor. */
export interface QuotaUsage extends AccountKey {
  readonly class: string;
  /** The end of the day. */
  readonly resetsAt: Date;
  /** Identifies the count of one worker. The usage of an app is the sum of all counts. */
  readonly counter: string;
  readonly accepted: number;
}

/** The counts of one account on one day, by class. */
interface DayCounts {
  readonly account: AccountKey;
  readonly resetsAt: Date;
  readonly counter: string;
  readonly accepted: Map<string, number>;
  isSaved: boolean;
}

/**
 * Counts accepted devices in memory. A count only grows and is saved as a whole, so that a write with an unknown result
 * can be repeated. Of more than `accountsMax` accounts, those without recent devices are forgotten. If they continue,
 * they begin a new count.
 */
export class QuotaUsageCounts {
  readonly #days: BoundedMap<string, DayCounts>;
  readonly #newCounter: () => string;

  constructor({ accountsMax, newCounter }: { accountsMax: number; newCounter: () => string }) {
    this.#days = new BoundedMap(accountsMax);
    this.#newCounter = newCounter;
  }

  add({ appId, channel, environment }: AccountKey, messageClass: string, resetsAt: Date, devices: number): void {
    const account = { appId, channel, environment };
    const key = `${accountKey(account)} ${resetsAt.getTime()}`;
    const counts = this.#days.get(key) ?? {
      account,
      resetsAt,
      counter: this.#newCounter(),
      accepted: new Map<string, number>(),
      isSaved: false,
    };
    counts.accepted.set(messageClass, (counts.accepted.get(messageClass) ?? 0) + devices);
    counts.isSaved = false;
    this.#days.set(key, counts); // also moves the account to the end, because the oldest entry is forgotten first
  }

  /** Calls `save` with the counts that have changed since they were saved. If it fails, the next call repeats them. */
  async save(now: Date, save: (usage: readonly QuotaUsage[]) => Promise<void>): Promise<void> {
    const changed = [...this.#days].filter(([, { isSaved }]) => !isSaved);
    for (const [, counts] of changed) counts.isSaved = true; // before the write, so that devices that are added during it are saved later
    try {
      await save(changed.flatMap(([, counts]) => usageOf(counts)));
    } catch (error) {
      for (const [, counts] of changed) counts.isSaved = false;
      throw error;
    }
    for (const [key, { isSaved, resetsAt }] of [...this.#days]) if (isSaved && resetsAt <= now) this.#days.delete(key);
  }
}

const usageOf = ({ account, resetsAt, counter, accepted }: DayCounts): QuotaUsage[] =>
  [...accepted].map(([messageClass, devices]) => ({
    ...account,
    class: messageClass,
    resetsAt,
    counter,
    accepted: devices,
  }));
