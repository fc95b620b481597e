import { pushTaskDetail } from '#src/contract/push-task-detail.ts';
import { sightOf } from '#src/domain/caller.ts';
import { channels } from '#src/domain/channel.ts';
import { countChannels } from '#src/truth/slices.ts';
import { findVisibleTasks } from '#src/truth/tasks.ts';
import type { Route } from '../context.ts';

/** Every counter is summed from the bits at the moment of the question. Unknown and foreign ids are left out. */
export const pushTaskDetailRoute: Route<typeof pushTaskDetail> = {
  operation: pushTaskDetail,
  handle: async ({ truth }, { caller, body }) => {
    const wanted = [...new Set(body.list)];
    const visible = new Set(await findVisibleTasks(truth.home, caller.appId, sightOf(caller), wanted));
    const taskIds = wanted.filter((taskId) => visible.has(taskId));
    if (taskIds.length === 0) return [];
    const counts = await Promise.all(truth.shards.all.map((db) => countChannels(db, caller.appId, taskIds)));

    const records = new Map(taskIds.map((taskId) => [taskId, emptyRecord(taskId)]));
    for (const { taskId, channel, target, sent, received } of counts.flat()) {
      const record = records.get(taskId) as Record<string, bigint>;
      record[`${channel}_target`] = (record[`${channel}_target`] as bigint) + target;
      record[`${channel}_sent`] = (record[`${channel}_sent`] as bigint) + sent;
      record[`${channel}_received`] = (record[`${channel}_received`] as bigint) + received;
    }
    return [...records.values()];
  },
};

function emptyRecord(taskId: bigint): { task_id: bigint } & Record<string, bigint> {
  const zeros = channels.flatMap((channel) =>
    ['sent', 'received', 'target'].map((counter) => [`${channel}_${counter}`, 0n] as const),
  );
  return { task_id: taskId, ...Object.fromEntries(zeros) };
}
