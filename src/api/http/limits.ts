import { Problem, type ProblemName } from '#src/domain/problem.ts';
import { Batch } from '#src/foundation/batch.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { type Limit, type Taken, takePoints } from '#src/storage/users/rate-limits.ts';
import type { ApiRequest } from '../context.ts';

/** How many calls share one statement, and how many may wait for it. */
const CALLS_PER_STATEMENT_MAX = 500;
const CALLS_WAITING_MAX = 5_000;

/** Limits that all API processes share. Calls under one limit at the same moment take their points together. */
export class RequestLimits {
  readonly #taking: Batch<Limit, Taken>;

  constructor(db: HomeDb) {
    this.#taking = new Batch({
      run: (limits) => takeTogether(db, limits),
      sizeMax: CALLS_PER_STATEMENT_MAX,
      queueMax: CALLS_WAITING_MAX,
    });
  }

  /** Lets the call pass and tells what is left in `RateLimit-*`, or refuses it and tells how long to wait. */
  async take(request: Pick<ApiRequest, 'header'>, limit: Limit, problem: ProblemName): Promise<void> {
    const taken = await this.#taking.add(limit);
    tellLimits(request, [taken]);
    refuseBeyond([taken], problem);
  }
}

/** The narrowest of the limits, in the headers. */
export function tellLimits({ header }: Pick<ApiRequest, 'header'>, limits: readonly Taken[]): void {
  const [narrowest] = [...limits].sort((a, b) => a.left - b.left);
  if (!narrowest) return;
  header('ratelimit-limit', narrowest.pointsMax.toString());
  header('ratelimit-remaining', Math.max(narrowest.left, 0).toString());
  header('ratelimit-reset', narrowest.resetSeconds.toString());
}

export function refuseBeyond(limits: readonly Taken[], problem: ProblemName): void {
  const waits = limits.filter(({ left }) => left < 0).map(({ resetSeconds }) => resetSeconds);
  if (waits.length > 0) throw new Problem(problem, undefined, { retryAfterSeconds: Math.max(...waits) });
}

/** One take for each key; those who share it are served in the order they came. */
async function takeTogether(db: HomeDb, limits: readonly Limit[]): Promise<Taken[]> {
  const groups = Map.groupBy(limits, ({ key }) => key);
  const taken = await takePoints(
    db,
    [...groups.values()].map((group) => ({ ...(group[0] as Limit), points: group.length })),
  );
  const byKey = new Map(taken.map((one) => [one.key, { ...one, served: 0 }]));
  return limits.map(({ key }) => {
    const one = byKey.get(key) as Taken & { served: number };
    const behind = (groups.get(key)?.length ?? 0) - ++one.served;
    return { ...one, left: one.left + behind };
  });
}
