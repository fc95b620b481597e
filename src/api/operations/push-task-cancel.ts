import { pushTaskCancel } from '#src/contract/push-task-cancel.ts';
import { sightOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { cancelShard, cancelTask } from '#src/truth/cancel.ts';
import { countChannels, findVisibleTasks } from '#src/truth/statistics.ts';
import type { Route } from '../context.ts';

/** Home first, which decides; then the shards. If it breaks off in between, workers carry the word on. */
export const pushTaskCancelRoute: Route<typeof pushTaskCancel> = {
  operation: pushTaskCancel,
  handle: async ({ truth }, { caller, body }) => {
    const { task_id: taskId } = body;
    const [visible] = await findVisibleTasks(truth.home, caller.appId, sightOf(caller), [taskId]);
    if (visible === undefined) throw new Problem('bad-parameter', 'There is no such task.');
    const stopped = await cancelTask(truth.home, taskId);
    if (stopped) await Promise.all(truth.shards.all.map((db) => cancelShard(db, taskId)));
    const counts = await countChannels(truth.shards, [{ appId: caller.appId, taskId }]);
    const sent = counts.reduce((sum, count) => sum + count.sent, 0n);
    return { task_id: taskId, finished: !stopped, sent };
  },
};
