import { rangeOfTaskIds } from '#src/domain/task.ts';
import type { HomeDb } from '../database/database.ts';

/** A task of an app. The message is null if the day of the task was dropped and only the counters are left. */
export interface KnownTask {
  readonly taskId: bigint;
  readonly messageText: string | null;
}

/** Returns the given IDs that are tasks of this app, also of days that were dropped. */
export async function findKnownTasks(db: HomeDb, appId: string, taskIds: readonly bigint[]): Promise<KnownTask[]> {
  if (taskIds.length === 0) return [];
  return db.query<KnownTask>(
    `select task_id as "taskId", message as "messageText"
       from tasks
      where task_id = any($1) and task_id between $2 and $3 and app_id = $4
      union all
     select f.task_id, null
       from final_counts f
      where f.task_id = any($1) and f.app_id = $4
        and not exists (select from tasks t where t.task_id = f.task_id and t.task_id between $2 and $3)`,
    [taskIds, ...rangeOfTaskIds(taskIds), appId],
  );
}
