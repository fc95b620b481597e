import { pushTaskDetail } from '#src/contract/push/task/detail.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { type Channel, extraChannels, specifiedChannels } from '#src/domain/channel.ts';
import type { ChannelCounts } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { readTaskCounts } from '../../../ledger/task-counts.ts';

/** Omits unknown task IDs and those of tasks that the caller may not see. */
export const pushTaskDetailRoute: Route<typeof pushTaskDetail> = {
  operation: pushTaskDetail,
  handle: async ({ storage }, { app, caller, body }) => {
    const taskIds = [...new Set(body.list)];
    const counts = await readTaskCounts(storage, caller.appId, taskVisibilityOf(caller), taskIds);
    const shown = app.extraCounters ? [...specifiedChannels, ...extraChannels] : specifiedChannels;
    return taskIds
      .filter((taskId) => counts.has(taskId))
      .map((taskId) => toRecord(taskId, counts.get(taskId) ?? [], shown));
  },
};

/** Returns the counters of the shown channels, in their order. */
function toRecord(
  taskId: bigint,
  counts: readonly ChannelCounts[],
  shown: readonly Channel[],
): { task_id: bigint } & Record<string, bigint> {
  const zeros = shown.flatMap((channel) =>
    ['sent', 'received', 'target'].map((counter) => [`${channel}_${counter}`, 0n] as const),
  );
  const record: { task_id: bigint } & Record<string, bigint> = { task_id: taskId, ...Object.fromEntries(zeros) };
  for (const { channel, target, sent, received } of counts.filter((count) => shown.includes(count.channel))) {
    record[`${channel}_target`] = (record[`${channel}_target`] as bigint) + target;
    record[`${channel}_sent`] = (record[`${channel}_sent`] as bigint) + sent;
    record[`${channel}_received`] = (record[`${channel}_received`] as bigint) + received;
  }
  return record;
}
