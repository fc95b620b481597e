import { Problem, type ProblemName } from '#src/domain/problem.ts';
import { Batch } from '#src/foundation/batch.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { type PointLimit, type PointLimitState, takePoints } from '#src/storage/users/rate-limits.ts';

/** Maximum number of calls per statement, and of calls that wait for a statement. */
const CALLS_PER_STATEMENT_MAX = 500;
const CALLS_WAITING_MAX = 5_000;

/** Adds a header to the response. */
export type SetHeader = (name: string, value: string) => void;

/**
 * Rate limits that all API processes share. Calls that are received at the same time take their points in one
 * statement.
 */
export class RequestLimits {
  readonly #batch: Batch<PointLimit, PointLimitState>;

  constructor(db: HomeDb) {
    this.#batch = new Batch({
      run: (limits) => takePointsByKey(db, limits),
      sizeMax: CALLS_PER_STATEMENT_MAX,
      queueMax: CALLS_WAITING_MAX,
    });
  }

  /**
   * Takes one point and sets the `RateLimit-*` headers. Throws `problem` with the time to wait if no points are left.
   */
  async take(setHeader: SetHeader, limit: PointLimit, problem: ProblemName): Promise<void> {
    const limitState = await this.#batch.add(limit);
    setRateLimitHeaders(setHeader, [limitState]);
    rejectOverLimit([limitState], problem);
  }
}

/** Sets the `RateLimit-*` headers from the limit with the fewest points left. */
export function setRateLimitHeaders(setHeader: SetHeader, limits: readonly PointLimitState[]): void {
  const [narrowest] = [...limits].sort((a, b) => a.remaining - b.remaining);
  if (!narrowest) return;
  setHeader('ratelimit-limit', narrowest.pointsMax.toString());
  setHeader('ratelimit-remaining', Math.max(narrowest.remaining, 0).toString());
  setHeader('ratelimit-reset', narrowest.resetSeconds.toString());
}

export function rejectOverLimit(limits: readonly PointLimitState[], problem: ProblemName): void {
  const waitSeconds = limits.filter(({ remaining }) => remaining < 0).map(({ resetSeconds }) => resetSeconds);
  if (waitSeconds.length > 0) throw new Problem(problem, undefined, { retryAfterSeconds: Math.max(...waitSeconds) });
}

/**
 * Takes the points of all calls with the same key together. These calls are served in the order in which they were
 * received.
 */
async function takePointsByKey(db: HomeDb, limits: readonly PointLimit[]): Promise<PointLimitState[]> {
  const groups = Map.groupBy(limits, ({ key }) => key);
  const limitStates = await takePoints(
    db,
    [...groups.values()].map((group) => ({ ...(group[0] as PointLimit), points: group.length })),
  );
  const byKey = new Map(limitStates.map((state) => [state.key, { ...state, served: 0 }]));
  return limits.map(({ key }) => {
    const state = byKey.get(key) as PointLimitState & { served: number };
    const laterCalls = (groups.get(key)?.length ?? 0) - ++state.served;
    return { ...state, remaining: state.remaining + laterCalls };
  });
}
