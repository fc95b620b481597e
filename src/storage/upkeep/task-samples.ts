import type { HomeDb, ShardDb } from '../database/database.ts';

/**
 * The newest tasks of each database. A comparison of these samples shows whether a database has lost commits. Only tasks
 * after the given ID are read, so that no day is included that retention may drop at the same time.
 */

/** Returns the newest tasks that have expansions in a shard database. */
export async function findNewestTasksInShard(db: ShardDb, after: bigint, limit: number): Promise<bigint[]> {
  const rows = await db.query<{ taskId: bigint }>(
    'select distinct task_id as "taskId" from expansions where task_id > $1 order by 1 desc limit $2',
    [after, limit],
  );
  return rows.map(({ taskId }) => taskId);
}

/** A task whose expansions all exist according to the home database. */
export interface SampledTask {
  readonly taskId: bigint;
  readonly byRange: boolean;
}

/** Returns the newest tasks whose expansions exist according to the home database. */
export async function findNewestPlannedTasks(db: HomeDb, after: bigint, limit: number): Promise<SampledTask[]> {
  return db.query<SampledTask>(
    `select task_id as "taskId", by_range as "byRange"
       from tasks
      where task_id > $1 and state <> 'accepted'
      order by task_id desc
      limit $2`,
    [after, limit],
  );
}
