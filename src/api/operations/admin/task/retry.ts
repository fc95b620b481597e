import { adminTaskRetry } from '#src/contract/admin/task/retry.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { retryQuarantined } from '#src/storage/ledger/failed-work.ts';
import { findVisibleTasks } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';

export const adminTaskRetryRoute: Route<typeof adminTaskRetry> = {
  operation: adminTaskRetry,
  handle: async ({ storage: { home, shards } }, { caller, body }) => {
    const { task_id: taskId } = body;
    const [visibleTaskId] = await findVisibleTasks(home, caller.appId, taskVisibilityOf(caller), [taskId]);
    if (visibleTaskId === undefined) throw new Problem('no-such-task');
    const counts = await Promise.all([
      retryQuarantined(home, 'tasks', taskId),
      ...shards.all.flatMap((db) => [
        retryQuarantined(db, 'expansions', taskId),
        retryQuarantined(db, 'slices', taskId),
      ]),
    ]);
    return { task_id: taskId, rows: counts.reduce((sum, count) => sum + count, 0) };
  },
};
