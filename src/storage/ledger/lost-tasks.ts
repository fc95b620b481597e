import type { ExpansionProgress } from '#src/domain/finish.ts';
import { rangeOfTaskIds } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';

/**
 * Returns the progress of those tasks that have slices in this database, without their expansions. It is used for tasks
 * whose expansions are missing.
 */
export async function findSliceProgress(
  db: ShardDb,
  taskIds: readonly bigint[],
): Promise<(ExpansionProgress & { readonly taskId: bigint })[]> {
  return db.query(
    `select task_id as "taskId", false as "hasOpenExpansion", bool_or(state <> 'closed') as "hasOpenSlice"
       from slices
      where task_id = any($1) and task_id between $2 and $3
      group by task_id`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

/**
 * Makes workers plan tasks again whose expansions are missing in a database. Existing expansions stay unchanged. A task
 * that was cancelled, has expired or has final counts is not planned again. Returns the tasks that are still planned,
 * and whether they are planned again.
 */
export async function replanTasks(
  db: HomeDb,
  taskIds: readonly bigint[],
): Promise<{ readonly taskId: bigint; readonly isReplanned: boolean }[]> {
  return db.query(
    `with lost as (
       select t.task_id,
              t.cancelled_at is null and t.not_after > now()
                and not exists (select from final_counts f where f.task_id = t.task_id and f.task_id between $2 and $3)
                as is_replanned
         from tasks t
        where t.task_id = any($1) and t.task_id between $2 and $3 and t.state = 'planned'
        order by t.task_id
          for update of t
     ), replanned as (
       update tasks t set state = 'accepted', epoch = t.epoch + 1, next_at = now()
         from lost l
        where l.is_replanned and t.task_id = l.task_id and t.task_id between $2 and $3
     )
     select task_id as "taskId", is_replanned as "isReplanned" from lost`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}
