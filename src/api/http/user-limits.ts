import type { Caller } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';

/** Users that are remembered. A user who is evicted has a full budget again. */
const USERS_MAX = 100_000;
const MINUTE_MS = 60_000;

/**
 * Limits how many requests each user can make per minute. Each API process counts separately and in memory, because a
 * shared count would cost a statement per request, and the limit protects the process and its share of the database.
 */
export class UserLimits {
  readonly #perMinute: number;
  readonly #users = new BoundedMap<string, { requests: number; endsMs: number }>(USERS_MAX);

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a request. Throws if a user has made too many. */
  take(caller: Caller): void {
    if (caller.kind !== 'user') return;
    const key = `${caller.appId} ${caller.userId}`;
    const now = performance.now();
    const known = this.#users.get(key);
    const period = known && known.endsMs > now ? known : { requests: 0, endsMs: now + MINUTE_MS };
    if (period.requests >= this.#perMinute)
      throw new Problem('too-many-requests', undefined, {
        retryAfterSeconds: Math.ceil((period.endsMs - now) / 1_000),
      });
    period.requests++;
    if (period !== known) this.#users.set(key, period);
  }
}
