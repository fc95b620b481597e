import { pushTaskDetail } from '#src/contract/push/task/detail.ts';
import { sightOf } from '#src/domain/caller.ts';
import { channels } from '#src/domain/channel.ts';
import type { ChannelCounts } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { readCounts } from '../../../ledger/task-counts.ts';

/** Unknown and foreign ids are left out. */
export const pushTaskDetailRoute: Route<typeof pushTaskDetail> = {
  operation: pushTaskDetail,
  handle: async ({ truth }, { caller, body }) => {
    const wanted = [...new Set(body.list)];
    const counts = await readCounts(truth, caller.appId, sightOf(caller), wanted);
    return wanted.filter((taskId) => counts.has(taskId)).map((taskId) => toRecord(taskId, counts.get(taskId) ?? []));
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
