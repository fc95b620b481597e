import { pushTaskReport } from '#src/contract/push/task/report.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { channels } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { countRecalls, isRecallDone, type RecallCounts } from '#src/storage/ledger/recalls.ts';
import {
  type FailedSlice,
  findFailedSlices,
  findInboxWait,
  type InboxWait,
  type TaskOfApp,
} from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { exampleOf, findPushTokens, sumFailures } from '../../../ledger/failure-reasons.ts';
import { readAvailableCounts } from '../../../ledger/task-counts.ts';

/** Maximum number of slices per database whose failures are evaluated, to limit the time and memory of a call. */
const FAILED_SLICES_MAX = 2_000;

export const pushTaskReportRoute: Route<typeof pushTaskReport> = {
  operation: pushTaskReport,
  handle: async ({ storage }, { caller, body: { task_id: taskId } }) => {
    const { appId } = caller;
    const task = { appId, taskId };
    const counted = await readAvailableCounts(storage, appId, taskVisibilityOf(caller), taskId);
    if (!counted) throw new Problem('no-such-task');
    const { counts } = counted;
    const isDone = await isRecallDone(storage.home, task);
    const databases = storage.shards.all;
    const results = await settleAvailable(databases.map((db) => readResults(db, task, isDone !== undefined)));
    const failedSlices = results.map((result) => result.failedSlices);
    const inboxWaits = results.map((result) => result.inboxWait);
    const waitEnds = inboxWaits.flatMap(({ until }) => (until === null ? [] : [until.getTime()]));
    const recallCounts = results.flatMap((result) => result.recallCounts);
    const recallsByChannel = Map.groupBy(recallCounts, ({ channel }) => channel);
    const slicesByChannel = Map.groupBy(failedSlices.flat(), ({ channel }) => channel);
    const failuresByChannel = new Map([...slicesByChannel].map(([channel, slices]) => [channel, sumFailures(slices)]));
    // Other callers can trace only some of the devices.
    const examplePlaces =
      caller.kind === 'admin' ? [...failuresByChannel.values()].flat().flatMap(({ places }) => places) : [];
    const pushTokens = await findPushTokens(storage.shards, task, examplePlaces);
    const used = channels.filter((channel) => counts.some((count) => count.channel === channel));
    return {
      task_id: taskId,
      channels: used.map((channel) => {
        const ofChannel = counts.filter((count) => count.channel === channel);
        const sum = (key: 'target' | 'sent' | 'received' | 'clicked') =>
          ofChannel.reduce((total, count) => total + count[key], 0n);
        return {
          ...{ channel, target: sum('target'), sent: sum('sent'), received: sum('received'), clicked: sum('clicked') },
          recalled: sumOf(recallsByChannel.get(channel), 'recalled'),
          recall_failed: sumOf(recallsByChannel.get(channel), 'failed'),
          failures: (failuresByChannel.get(channel) ?? []).map((reason) => ({
            code: reason.code,
            detail: reason.detail,
            count: reason.count,
            push_token: exampleOf(reason, pushTokens),
          })),
        };
      }),
      waiting: inboxWaits.reduce((sum, { devices }) => sum + devices, 0n),
      waiting_until: waitEnds.length === 0 ? null : BigInt(Math.max(...waitEnds)),
      recall: isDone === undefined ? 'none' : isDone ? 'done' : 'running',
      failures_complete: failedSlices.every(({ length }) => length < FAILED_SLICES_MAX),
      incomplete: counted.incomplete || results.length < databases.length,
    };
  },
};

interface DatabaseResults {
  readonly failedSlices: readonly FailedSlice[];
  readonly inboxWait: InboxWait;
  readonly recallCounts: readonly RecallCounts[];
}

/** Returns the results of a task in one database, so that another database can be unavailable. */
async function readResults(db: ShardDb, task: TaskOfApp, wasRecalled: boolean): Promise<DatabaseResults> {
  const [failedSlices, inboxWait, recallCounts] = await Promise.all([
    findFailedSlices(db, task, FAILED_SLICES_MAX),
    findInboxWait(db, task),
    wasRecalled ? countRecalls(db, task) : [],
  ]);
  return { failedSlices, inboxWait, recallCounts };
}

const sumOf = (counts: readonly RecallCounts[] = [], key: 'recalled' | 'failed'): bigint =>
  counts.reduce((sum, count) => sum + count[key], 0n);
