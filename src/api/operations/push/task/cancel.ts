import { pushTaskCancel } from '#src/contract/push/task/cancel.ts';
import { sightOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { cancelShard, cancelTask } from '#src/storage/ledger/cancel.ts';
import { findVisibleTasks } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { readCounts } from '../../../ledger/task-counts.ts';

/** Home first, which decides; then the shards. If it breaks off in between, workers carry the word on. */
export const pushTaskCancelRoute: Route<typeof pushTaskCancel> = {
  operation: pushTaskCancel,
  handle: async ({ truth }, { caller, body }) => {
    const { task_id: taskId } = body;
    const sight = sightOf(caller);
    const [visible] = await findVisibleTasks(truth.home, caller.appId, sight, [taskId]);
    const stopped = visible !== undefined && (await cancelTask(truth.home, taskId));
    if (stopped) await Promise.all(truth.shards.all.map((db) => cancelShard(db, taskId)));
    const counts = (await readCounts(truth, caller.appId, sight, [taskId])).get(taskId);
    if (!counts) throw new Problem('bad-parameter', 'There is no such task.');
    return { task_id: taskId, finished: !stopped, sent: counts.reduce((sum, { sent }) => sum + sent, 0n) };
  },
};
