import { pushTaskDetail } from '#src/contract/push-task-detail.ts';
import { sightOf } from '#src/domain/caller.ts';
import { channels } from '#src/domain/channel.ts';
import { countChannels, findVisibleTasks } from '#src/truth/statistics.ts';
import type { Route } from '../context.ts';

/** Every counter is summed from the bits at the moment of the question. Unknown and foreign ids are left out. */
export const pushTaskDetailRoute: Route<typeof pushTaskDetail> = {
  operation: pushTaskDetail,
  handle: async ({ truth }, { caller, body }) => {
    const wanted = [...new Set(body.list)];
    const visible = new Set(await findVisibleTasks(truth.home, caller.appId, sightOf(caller), wanted));
    const taskIds = wanted.filter((taskId) => visible.has(taskId));
    if (taskIds.length === 0) return [];
    const counts = await countChannels(
      truth.shards,
      taskIds.map((taskId) => ({ appId: caller.appId, taskId })),
    );

    const records = new Map(taskIds.map((taskId) => [taskId, { task_id: taskId, ...zeros }]));
    for (const { taskId, channel, target, sent, received } of counts) {
      const record = records.get(taskId) as Record<string, bigint>;
      record[`${channel}_target`] = (record[`${channel}_target`] as bigint) + target;
      record[`${channel}_sent`] = (record[`${channel}_sent`] as bigint) + sent;
      record[`${channel}_received`] = (record[`${channel}_received`] as bigint) + received;
    }
    return [...records.values()];
  },
};

const zeros: Readonly<Record<string, bigint>> = Object.fromEntries(
  channels.flatMap((channel) => ['sent', 'received', 'target'].map((counter) => [`${channel}_${counter}`, 0n])),
);
