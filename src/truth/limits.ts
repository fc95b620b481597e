import type { HomeDb } from './database.ts';

/** How often something may fail within a time. */
export interface Limit {
  readonly pointsMax: number;
  readonly seconds: number;
}

/**
 * Takes a point from each key before the attempt is made, so that many at once cannot slip through; a good attempt
 * gives it back. All keys in one statement, shared by every process. Answers the seconds to wait for each key that had
 * none left.
 */
export async function takePoints(db: HomeDb, keys: readonly (Limit & { key: string })[]): Promise<number[]> {
  const sorted = [...keys].sort((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await db.query<{ points: number; pointsMax: number; waitSeconds: number }>(
    `insert into limit_points as l (key, points, until)
     select k.key, 1, now() + k.seconds * interval '1 s'
       from unnest($1::text[], $2::int[], $3::int[]) as k (key, points_max, seconds)
     on conflict (key) do update
        set points = case when l.until <= now() then 1 else l.points + 1 end,
            until = case when l.until <= now() then excluded.until else l.until end
     returning points, ceil(extract(epoch from until - now()))::int as "waitSeconds",
               (select u.points_max from unnest($1::text[], $2::int[]) as u (key, points_max) where u.key = l.key) as "pointsMax"`,
    [sorted.map(({ key }) => key), sorted.map(({ pointsMax }) => pointsMax), sorted.map(({ seconds }) => seconds)],
  );
  return rows.filter(({ points, pointsMax }) => points > pointsMax).map(({ waitSeconds }) => Math.max(waitSeconds, 1));
}

/** A good attempt costs nothing. */
export async function givePointsBack(db: HomeDb, keys: readonly string[]): Promise<void> {
  await db.query(
    `update limit_points l set points = greatest(l.points - 1, 0)
       from (select key from limit_points where key = any($1) order by key for update) as locked
      where l.key = locked.key`,
    [keys],
  );
}

export async function forgetOldPoints(db: HomeDb): Promise<void> {
  await db.query('delete from limit_points where until < now()');
}
