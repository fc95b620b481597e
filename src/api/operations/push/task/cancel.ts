import { setTimeout as sleep } from 'node:timers/promises';
import { pushTaskCancel } from '#src/contract/push/task/cancel.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import type { Message } from '#src/domain/message.ts';
import { Problem } from '#src/domain/problem.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { waitWhileResponsive } from '#src/storage/database/responsive-work.ts';
import { cancelTask, cancelTaskInShards } from '#src/storage/ledger/cancel.ts';
import { insertRecall } from '#src/storage/ledger/recalls.ts';
import {
  type ChannelCounts,
  countChannelsInDatabase,
  findVisibleTasks,
  type TaskOfApp,
} from '#src/storage/ledger/statistics.ts';
import { findTasks } from '#src/storage/ledger/tasks.ts';
import { canRecall } from '#src/vendors/registry.ts';
import type { Route } from '../../../context.ts';
import { readAvailableCounts } from '../../../ledger/task-counts.ts';

/** Maximum time to wait for shard databases that respond, but slowly. */
const SHARDS_MS_MAX = 2_000;

/**
 * Cancels the task in the home database, which is authoritative, and then in the shards that are available. Workers ask
 * the home database before they send, so sending stops within 5 s even if the request is interrupted or a shard is
 * unavailable. With `recall`, it also records that workers must recall the task.
 */
export const pushTaskCancelRoute: Route<typeof pushTaskCancel> = {
  operation: pushTaskCancel,
  handle: async ({ storage }, { caller, body }) => {
    const { task_id: taskId, recall = false } = body;
    const { appId } = caller;
    const sight = taskVisibilityOf(caller);
    const [visibleTaskId] = await findVisibleTasks(storage.home, appId, sight, [taskId]);
    const isStopped = visibleTaskId !== undefined && (await cancelTask(storage.home, taskId));
    // Must come before the response, and after the cancellation: otherwise, the recall could end before the task.
    const isRecalled = recall && visibleTaskId !== undefined && (await insertRecall(storage.home, { appId, taskId }));
    // A finished task has no open slices, so nothing is marked in the shards.
    const counts =
      isStopped || isRecalled
        ? await cancelInAvailableShards(storage, { appId, taskId })
        : (await readAvailableCounts(storage, appId, sight, taskId))?.counts;
    if (!counts) throw new Problem('no-such-task');
    return {
      ...{ task_id: taskId, finished: !isStopped, sent: sumOfSent(counts) },
      ...(recall && { recall: describeRecall(counts, await findRecallableType(storage, isRecalled, taskId)) }),
    };
  },
};

const sumOfSent = (counts: readonly ChannelCounts[]): bigint => counts.reduce((sum, { sent }) => sum + sent, 0n);

/** Returns the type of the message, or undefined if the task cannot be recalled because its data was deleted. */
async function findRecallableType(
  { home }: Storage,
  isRecalled: boolean,
  taskId: bigint,
): Promise<Message['type'] | undefined> {
  const [task] = isRecalled ? await findTasks(home, [taskId]) : [];
  return task?.message.type;
}

/** Returns for each channel that was used whether the notification can be recalled. */
function describeRecall(counts: readonly ChannelCounts[], type: Message['type'] | undefined) {
  return [...Map.groupBy(counts, ({ channel }) => channel)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([channel, group]) => ({
      ...{ channel, sent: sumOfSent(group) },
      supported: type !== undefined && canRecall(channel, type),
    }));
}

/**
 * Marks the task as cancelled in the shards that respond, and returns its counts in them. Does not wait for a silent
 * database.
 */
async function cancelInAvailableShards({ shards }: Storage, task: TaskOfApp): Promise<ChannelCounts[]> {
  const counts: ChannelCounts[] = [];
  const cancelIn = async (db: ShardDb) => {
    try {
      await cancelTaskInShards(db, task.taskId);
      counts.push(...(await countChannelsInDatabase(db, [task])));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  };
  const groups = shards.all.map((db) => ({ databases: [db], work: cancelIn(db) }));
  const all = settleAll(groups.map(({ work }) => work));
  all.catch(() => undefined); // awaited below, unless the response is sent earlier
  const deadline = new AbortController();
  const { signal } = deadline;
  try {
    const responsive = waitWhileResponsive(groups).then(({ size }) => (size === 0 ? all : undefined));
    await Promise.race([responsive, sleep(SHARDS_MS_MAX, undefined, { signal }).catch(() => undefined)]);
  } finally {
    deadline.abort();
  }
  return [...counts];
}
