import type { Lane, TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { OPEN_CONDITION } from './open-condition.ts';

/** Returns the given ID ranges that contain an unfinished task. */
export async function findDaysWithWork(db: HomeDb, days: readonly TaskRange[]): Promise<TaskRange[]> {
  // Uses the indexes of open tasks, which are small. A day can have millions of finished tasks.
  const selectOpenTask = (state: string, order: string) =>
    `select 1 from tasks where state = '${state}' and task_id between day.first and day.last order by ${order} limit 1`;
  const rows = await db.query<{ first: bigint; last: bigint }>(
    `select first, last
       from unnest($1::bigint[], $2::bigint[]) as day (first, last)
      where exists (${selectOpenTask('accepted', 'lane, next_at')}) or exists (${selectOpenTask('planned', 'next_at')})
      order by first`,
    [days.map(([first]) => first), days.map(([, last]) => last)],
  );
  return rows.map(({ first, last }) => [first, last]);
}

/** Due times are rounded up to a multiple of this interval, so that nearby due times are merged. */
const INSTANT_MS = 50;

/**
 * Returns the delays after which tasks or slices become due within `withinMs`: one delay per lane and rounded due time.
 */
export async function findNextDue(
  db: HomeDb | ShardDb,
  table: 'tasks' | 'slices',
  taskRange: TaskRange,
  withinMs: number,
): Promise<{ lane: Lane; inMs: number }[]> {
  return db.query(
    `select distinct lane,
            (ceil(extract(epoch from next_at - now()) * 1000 / ${INSTANT_MS}) * ${INSTANT_MS})::int as "inMs"
       from ${table}
      where ${OPEN_CONDITION[table]} and lane = any(array['prompt', 'bulk'])
        and next_at > now() and next_at <= now() + $1 * interval '1 ms' and task_id between $2 and $3`,
    [withinMs, ...taskRange],
  );
}
