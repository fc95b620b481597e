import { pushTaskCancel } from '#src/contract/push/task/cancel.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { cancelTask, cancelTaskInShards } from '#src/storage/ledger/cancel.ts';
import { findVisibleTasks } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { readTaskCounts } from '../../../ledger/task-counts.ts';

/**
 * Cancels the task in the home database, which is authoritative, and then in the shards. If the request is interrupted
 * in between, workers complete the cancellation.
 */
export const pushTaskCancelRoute: Route<typeof pushTaskCancel> = {
  operation: pushTaskCancel,
  handle: async ({ storage }, { caller, body }) => {
    const { task_id: taskId } = body;
    const sight = taskVisibilityOf(caller);
    const [visibleTaskId] = await findVisibleTasks(storage.home, caller.appId, sight, [taskId]);
    const isStopped = visibleTaskId !== undefined && (await cancelTask(storage.home, taskId));
    if (isStopped) await Promise.all(storage.shards.all.map((db) => cancelTaskInShards(db, taskId)));
    const counts = (await readTaskCounts(storage, caller.appId, sight, [taskId])).get(taskId);
    if (!counts) throw new Problem('bad-parameter', 'The task does not exist or is not visible to this token.');
    return { task_id: taskId, finished: !isStopped, sent: counts.reduce((sum, { sent }) => sum + sent, 0n) };
  },
};
