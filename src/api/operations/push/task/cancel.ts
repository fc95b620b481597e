import { setTimeout as sleep } from 'node:timers/promises';
import { pushTaskCancel } from '#src/contract/push/task/cancel.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { waitWhileResponsive } from '#src/storage/database/responsive-work.ts';
import { cancelTask, cancelTaskInShards } from '#src/storage/ledger/cancel.ts';
import {
  type ChannelCounts,
  countChannelsInDatabase,
  findVisibleTasks,
  type TaskOfApp,
} from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { readTaskCounts } from '../../../ledger/task-counts.ts';

/** Maximum time to wait for shard databases that respond, but slowly. */
const SHARDS_MS_MAX = 2_000;

/**
 * Cancels the task in the home database, which is authoritative, and then in the shards that are available. Workers ask
 * the home database before they send, so sending stops within 5 s even if the request is interrupted or a shard is
 * unavailable.
 */
export const pushTaskCancelRoute: Route<typeof pushTaskCancel> = {
  operation: pushTaskCancel,
  handle: async ({ storage }, { caller, body }) => {
    const { task_id: taskId } = body;
    const sight = taskVisibilityOf(caller);
    const [visibleTaskId] = await findVisibleTasks(storage.home, caller.appId, sight, [taskId]);
    const isStopped = visibleTaskId !== undefined && (await cancelTask(storage.home, taskId));
    const counts = isStopped
      ? await cancelInAvailableShards(storage, { appId: caller.appId, taskId })
      : (await readTaskCounts(storage, caller.appId, sight, [taskId])).get(taskId);
    if (!counts) throw new Problem('bad-parameter', 'The task does not exist or is not visible to this token.');
    return { task_id: taskId, finished: !isStopped, sent: counts.reduce((sum, { sent }) => sum + sent, 0n) };
  },
};

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
