import { pushTaskDetail } from '#src/contract/push/task/detail.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { channels } from '#src/domain/channel.ts';
import type { ChannelCounts } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { readTaskCounts } from '../../../ledger/task-counts.ts';

/** Omits unknown task IDs and those of tasks that the caller may not see. */
export const pushTaskDetailRoute: Route<typeof pushTaskDetail> = {
  operation: pushTaskDetail,
  handle: async ({ storage }, { caller, body }) => {
    const taskIds = [...new Set(body.list)];
    const counts = await readTaskCounts(storage, caller.appId, taskVisibilityOf(caller), taskIds);
    return taskIds.filter((taskId) => counts.has(taskId)).map((taskId) => toRecord(taskId, counts.get(taskId) ?? []));
  },
};

const zeros: Readonly<Record<string, bigint>> = Object.fromEntries(
  channels.flatMap((channel) => ['sent', 'received', 'target'].map((counter) => [`${channel}_${counter}`, 0n])),
);

function toRecord(taskId: bigint, counts: readonly ChannelCounts[]): { task_id: bigint } & Record<string, bigint> {
  const record: { task_id: bigint } & Record<string, bigint> = { task_id: taskId, ...zeros };
  for (const { channel, target, sent, received } of counts) {
    record[`${channel}_target`] = (record[`${channel}_target`] as bigint) + target;
    record[`${channel}_sent`] = (record[`${channel}_sent`] as bigint) + sent;
    record[`${channel}_received`] = (record[`${channel}_received`] as bigint) + received;
  }
  return record;
}
