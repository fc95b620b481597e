import type { HomeDb } from '../database/database.ts';

/** A limit on how often an action is allowed within a period. */
export interface PointLimit {
  readonly key: string;
  readonly pointsMax: number;
  readonly seconds: number;
}

/** The state of a limit after points were taken. */
export interface PointLimitState extends PointLimit {
  /** Negative if there were not enough points. */
  readonly remaining: number;
  /** The time until all points are available again. */
  readonly resetSeconds: number;
}

/**
 * Takes points from each key before the action, so that concurrent requests cannot exceed the limit. All keys are
 * updated in one statement, and every process shares them.
 */
export async function takePoints(
  db: HomeDb,
  limits: readonly (PointLimit & { points?: number })[],
): Promise<PointLimitState[]> {
  const sorted = [...limits].sort((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await db.query<{ key: string; points: number; resetSeconds: number }>(
    `insert into limit_points as l (key, points, until)
     select k.key, k.points, now() + k.seconds * interval '1 s'
       from unnest($1::text[], $2::int[], $3::int[]) as k (key, points, seconds)
     on conflict (key) do update
        set points = case when l.until <= now() then excluded.points else least(l.points + excluded.points, 1000000000) end,
            until = case when l.until <= now() then excluded.until else l.until end
     returning key, points, greatest(ceil(extract(epoch from until - now())), 1)::int as "resetSeconds"`,
    [sorted.map(({ key }) => key), sorted.map(({ points = 1 }) => points), sorted.map(({ seconds }) => seconds)],
  );
  const rowByKey = new Map(rows.map((row) => [row.key, row]));
  return limits.map((limit) => {
    const { points, resetSeconds } = rowByKey.get(limit.key) as { points: number; resetSeconds: number };
    return { ...limit, remaining: limit.pointsMax - points, resetSeconds };
  });
}

/** Ends the current period of a key after `seconds` from now. */
export async function setPeriodEnd(db: HomeDb, key: string, seconds: number): Promise<void> {
  await db.query(`update limit_points set until = now() + $2 * interval '1 s' where key = $1`, [key, seconds]);
}

const FIRST_DELAY_SECONDS = 5;

/**
 * Counts an attempt before its result is known. After as many attempts as `pointsMax`, each further attempt must wait
 * after the previous one, first for five seconds and then twice as long each time. An attempt that comes too early is
 * not counted, and `remaining` is negative. The count starts again if there was no attempt for `seconds`.
 */
export async function takeAttempt(db: HomeDb, limit: PointLimit): Promise<PointLimitState> {
  const delay = (points: string) => `least(${FIRST_DELAY_SECONDS} * 2 ^ least(greatest(${points} - $3, 0), 20), $2)`;
  // Without a delay, an attempt is never early, even if a concurrent one has a later time.
  const isEarly = `l.points >= $3 and l.until > now() and l.until + (${delay('l.points')} - $2) * interval '1 s' > now()`;
  const [row] = await db.query<{ points: number; isAllowed: boolean; waitSeconds: number }>(
    `insert into limit_points as l (key, points, until) values ($1, 1, now() + $2::int * interval '1 s')
     on conflict (key) do update
        set points = case when l.until <= now() then 1 when ${isEarly} then l.points else least(l.points + 1, 1000000) end,
            until = case when ${isEarly} then l.until else excluded.until end
     returning points, until = now() + $2::int * interval '1 s' as "isAllowed",
               ceil(extract(epoch from until - now()) + ${delay('points')} - $2)::int as "waitSeconds"`,
    [limit.key, limit.seconds, limit.pointsMax],
  );
  const { points, isAllowed, waitSeconds } = row as { points: number; isAllowed: boolean; waitSeconds: number };
  return isAllowed
    ? { ...limit, remaining: Math.max(limit.pointsMax - points, 0), resetSeconds: limit.seconds }
    : { ...limit, remaining: -1, resetSeconds: Math.max(waitSeconds, 1) };
}

/** Refunds the point of a successful attempt, for limits that apply only to failures. */
export async function refundPoints(db: HomeDb, keys: readonly string[]): Promise<void> {
  await db.query(
    `update limit_points l set points = greatest(l.points - 1, 0)
       from (select key from limit_points where key = any($1) order by key for update) as locked
      where l.key = locked.key`,
    [keys],
  );
}

/** Deletes the points of these keys, and of longer keys that continue them after a space. Scans the table. */
export async function deletePoints(db: HomeDb, keys: readonly string[]): Promise<void> {
  await db.query(
    `with gone as (
       select l.key
         from limit_points l
        where exists (select from unnest($1::text[]) as k (key) where starts_with(l.key || ' ', k.key || ' '))
        order by l.key
          for update
     )
     delete from limit_points l using gone g where l.key = g.key`,
    [keys],
  );
}

/** Deletes up to `limit` rows of expired points. Returns the number of deleted rows. */
export async function deleteExpiredPoints(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from limit_points
      where key in (select key from limit_points where until < now() limit $1 for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
