import type { Outcome } from '#src/domain/outcome.ts';
import type { Lane } from '#src/domain/task.ts';
import type { GateKey } from '#src/domain/vendor-account/breaker.ts';
import { admitted, costOf, pacedInMs, rateLimitOf } from '#src/domain/vendor-account/rate-limit.ts';
import { slowDown, takePermits } from '#src/storage/accounts/rates.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import type { VendorLimits } from '#src/vendors/vendor.ts';
import { workerMetrics } from '../metrics.ts';

/** A worker asks for a quarter of a second's worth at least, so that it need not ask for every notification. */
const CHUNK_SECONDS = 0.25;
/** Permits that nobody used by then are gone: they would come on top of the next second's. */
const LIFE_MS = 1_000;
const ACCOUNTS_MAX = 10_000;

interface Held {
  permits: number;
  readonly perSecond: number;
  readonly takenAt: number;
}

/** An account and what was agreed on how quick it may be; null: nothing. */
export interface PacedAccount extends GateKey {
  readonly perSecond: number | null;
}

/** The permits that this worker holds of those that all workers share. */
export class Rates {
  readonly #db: HomeDb;
  readonly #held = new Map<string, Held>();

  constructor(db: HomeDb) {
    this.#db = db;
  }

  /** Of each slice's places, how many may be called now; and when to come back for the rest. */
  async admit(
    account: PacedAccount,
    limits: VendorLimits,
    lane: Lane,
    slices: readonly number[],
  ): Promise<{ readonly counts: readonly number[]; readonly againInMs: number }> {
    const limit = rateLimitOf(limits.perSecond, account.perSecond);
    if (!limit) return { counts: slices, againInMs: 0 };
    const paced = slices.map((places) => ({ places, cost: costOf(places, limit.of, limits.tokensPerRequest) }));
    const wanted = paced.reduce((sum, { cost }) => sum + cost, 0);
    const held = await this.#hold(account, wanted, limit.count, lane);
    const used = Math.min(held.permits, wanted);
    held.permits -= used;
    if (used === wanted) return { counts: slices, againInMs: 0 };
    workerMetrics.paced.inc({ channel: account.channel });
    return { counts: admitted(paced, used), againInMs: pacedInMs(wanted - used, held.perSecond, Math.random) };
  }

  /** A vendor that finds an account too quick is asked less, by all workers. */
  async learn(account: GateKey, outcomes: readonly Outcome[]): Promise<void> {
    if (!outcomes.some((outcome) => outcome.kind === 'throttled' && outcome.account)) return;
    this.#held.delete(keyOf(account));
    await slowDown(this.#db, account);
  }

  async #hold(account: GateKey, wanted: number, limitPerSecond: number, lane: Lane): Promise<Held> {
    const key = keyOf(account);
    const before = this.#held.get(key);
    const isFresh = before && performance.now() - before.takenAt < LIFE_MS;
    if (isFresh && before.permits >= wanted) return before;
    const left = isFresh ? before.permits : 0;
    const takenAt = performance.now();
    const { granted, perSecond } = await takePermits(this.#db, account, {
      wanted: Math.ceil(Math.max(wanted - left, limitPerSecond * CHUNK_SECONDS)),
      limitPerSecond,
      isPrompt: lane === 'prompt',
    });
    // Others may have used or taken some meanwhile.
    const now = this.#held.get(key);
    const held = { permits: granted + (now && now === before && isFresh ? now.permits : 0), perSecond, takenAt };
    this.#held.delete(key);
    this.#held.set(key, held);
    if (this.#held.size > ACCOUNTS_MAX) this.#held.delete(this.#held.keys().next().value as string);
    return held;
  }
}

const keyOf = ({ appId, channel, environment }: GateKey): string => JSON.stringify([appId, channel, environment]);
