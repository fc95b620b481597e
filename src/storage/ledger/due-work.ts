import type { Lane, TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { OPEN_CONDITION } from './open-condition.ts';

/** Of these ranges of ids, those in which a task is not finished. */
export async function findDaysWithWork(db: HomeDb, days: readonly TaskRange[]): Promise<TaskRange[]> {
  // By the indexes of what is open, which are small: a day may have millions of tasks that are finished.
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

/** A few instants are told as one. */
const INSTANT_MS = 50;

/** When tasks or slices fall due within the next moment: a time from now for each lane and instant, a little after it. */
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
