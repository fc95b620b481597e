import { rangeOfTaskIds, type TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';

/** The due time of a task. If the task is quarantined, it is now. */
const UNLESS_QUARANTINED = `case when next_at = 'infinity' then now() else next_at end`;

/**
 * Marks a task as cancelled in the home database. This must happen before the task is cancelled in the shards, because
 * an expansion checks the mark again at its end. A quarantined task becomes due, so that a worker ends it. Returns false
 * if the task is finished.
 */
export async function cancelTask(db: HomeDb, taskId: bigint): Promise<boolean> {
  const rows = await db.query(
    `update tasks set cancelled_at = coalesce(cancelled_at, now()), next_at = ${UNLESS_QUARANTINED}
      where task_id = $1 and state <> 'finished'
      returning task_id`,
    [taskId],
  );
  return rows.length > 0;
}

/** Cancels a task and makes it due, so that a worker ends it soon even if it is scheduled or waits in an inbox. */
export async function endTask(db: HomeDb, taskId: bigint): Promise<void> {
  await db.query(
    `update tasks
        set cancelled_at = coalesce(cancelled_at, now()),
            next_at = case when state = 'planned' or due_at > now() then now() else ${UNLESS_QUARANTINED} end
      where task_id = $1 and state <> 'finished'`,
    [taskId],
  );
}

/** Returns the given tasks that were cancelled. */
export async function findCancelledTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<bigint[]> {
  const rows = await db.query<{ taskId: bigint }>(
    `select task_id as "taskId"
       from tasks
      where task_id = any($1) and task_id between $2 and $3 and cancelled_at is not null`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
  return rows.map(({ taskId }) => taskId);
}

/** Returns whether each of these tasks was cancelled. A task that the home database does not have is absent. */
export async function findCancelMarks(
  db: HomeDb,
  taskIds: readonly bigint[],
): Promise<{ readonly taskId: bigint; readonly cancelled: boolean }[]> {
  return db.query(
    `select task_id as "taskId", cancelled_at is not null as cancelled
       from tasks
      where task_id = any($1) and task_id between $2 and $3`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/** Returns apps that were disabled within `withinSeconds`, the latest first. Null means at any time. */
export async function findDisabledApps(db: HomeDb, withinSeconds: number | null, limit: number): Promise<string[]> {
  const rows = await db.queryPrepared<{ appId: string }>(
    `select app_id as "appId"
       from apps
      where disabled_at is not null and ($1::int is null or disabled_at > now() - $1::int * interval '1 s')
      order by disabled_at desc
      limit $2`,
    [withinSeconds, limit],
  );
  return rows.map(({ appId }) => appId);
}

/**
 * Marks up to `limit` open tasks of these apps as cancelled if the apps are disabled. Returns the number of tasks. The
 * tasks become due. A sweep then propagates the cancellation of planned tasks to the shards, and scheduled tasks end
 * without being expanded.
 */
export async function cancelOpenTasks(
  db: HomeDb,
  appIds: readonly string[],
  limit: number,
  taskRange: TaskRange,
): Promise<number> {
  const rows = await db.query(
    `with open as (
       select t.task_id
         from tasks t
        where t.app_id = any($1) and t.state <> 'finished' and t.cancelled_at is null and t.task_id between $3 and $4
          and exists (select from apps a where a.app_id = t.app_id and a.disabled_at is not null)
        limit $2
          for update of t skip locked
     )
     update tasks t
        set cancelled_at = now(),
            next_at = case when t.state = 'planned' or t.due_at > now() then now() else ${UNLESS_QUARANTINED} end
       from open
      where t.task_id = open.task_id and t.task_id between $3 and $4
      returning 1`,
    [appIds, limit, ...taskRange],
  );
  return rows.length;
}

/** The new due time of a row `s`, an expansion or a slice. A leased row keeps the end of its lease. */
const DUE_SOON = `case when s.state = 'leased' then s.next_at else least(s.next_at, now()) end`;

/** Maximum number of slices per statement, because receipts and lease holders wait for the statement. */
const SLICES_PER_ROUND = 5_000;
/** Maximum number of rounds. They cover five million slices, which is two and a half billion devices. */
const ROUNDS_MAX = 1_000;

/**
 * Marks a database's part of a task as cancelled, without claiming its rows. Repeating the call changes nothing. A
 * leased row keeps its `next_at`, which is the end of the lease, and its holder reads the mark with its next write.
 *
 * Expansions come first: an expansion that is about to commit either reads the mark, or its slices are found by the
 * queries below. Both tables are marked until a new query finds no open row without the mark. Repetition is needed
 * because an update that waited for another transaction does not see the rows that this transaction created: the rest of
 * an expansion that was split, or the slices of a hand-over.
 */
export async function cancelTaskInShards(db: ShardDb, taskId: bigint): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const [open] = await db.query<{ expansions: boolean; slices: boolean }>(
      `select exists (select from expansions where task_id = $1 and state <> 'done' and not cancelled) as expansions,
              exists (select from slices where task_id = $1 and state <> 'closed' and not cancelled) as slices`,
      [taskId],
    );
    if (!open?.expansions && !open?.slices) return;
    await db.query(
      `update expansions s set cancelled = true, next_at = ${DUE_SOON}
        where s.task_id = $1 and s.state <> 'done' and not s.cancelled`,
      [taskId],
    );
    await db.query(
      `with locked as (
         select task_id, bucket, slice
           from slices
          where task_id = $1 and state <> 'closed' and not cancelled
          order by 1, 2, 3
          limit ${SLICES_PER_ROUND}
            for update
       )
       update slices s set cancelled = true, next_at = ${DUE_SOON}
         from locked l
        where (s.task_id, s.bucket, s.slice) = (l.task_id, l.bucket, l.slice) and s.task_id = $1`,
      [taskId],
    );
  }
  throw new Error(`Task ${taskId} was cancelled, but new slices are still being created for it.`);
}
