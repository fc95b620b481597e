import { adminTaskRetry } from '#src/contract/admin/task/retry.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import { retryQuarantined } from '#src/storage/ledger/failed-work.ts';
import { findVisibleTasks } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';

export const adminTaskRetryRoute: Route<typeof adminTaskRetry> = {
  operation: adminTaskRetry,
  handle: async ({ storage: { home, shards } }, { caller, body }) => {
    const { task_id: taskId } = body;
    const [visibleTaskId] = await findVisibleTasks(home, caller.appId, taskVisibilityOf(caller), [taskId]);
    if (visibleTaskId === undefined) throw new Problem('no-such-task');
    const ofHome = await retryQuarantined(home, 'tasks', taskId);
    const retries = shards.all.flatMap((db) => [
      retryQuarantined(db, 'expansions', taskId),
      retryQuarantined(db, 'slices', taskId),
    ]);
    const ofShards = await settleAvailable(retries);
    return {
      task_id: taskId,
      rows: ofShards.reduce((sum, count) => sum + count, ofHome),
      incomplete: ofShards.length < retries.length,
    };
  },
};
