import { pushTaskReport } from '#src/contract/push/task/report.ts';
import { taskVisibilityOf } from '#src/domain/caller.ts';
import { channels } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { countRecalls, isRecallDone, type RecallCounts } from '#src/storage/ledger/recalls.ts';
import { findFailedSlices, findInboxWait } from '#src/storage/ledger/statistics.ts';
import type { Route } from '../../../context.ts';
import { exampleOf, findPushTokens, sumFailures } from '../../../ledger/failure-reasons.ts';
import { readTaskCounts } from '../../../ledger/task-counts.ts';

/** Maximum number of slices per database whose failures are evaluated, to limit the time and memory of a call. */
const FAILED_SLICES_MAX = 2_000;

export const pushTaskReportRoute: Route<typeof pushTaskReport> = {
  operation: pushTaskReport,
  handle: async ({ storage }, { caller, body: { task_id: taskId } }) => {
    const { appId } = caller;
    const counts = (await readTaskCounts(storage, appId, taskVisibilityOf(caller), [taskId])).get(taskId);
    if (!counts) throw new Problem('no-such-task');
    const failedSlices = await Promise.all(
      storage.shards.all.map((db) => findFailedSlices(db, { appId, taskId }, FAILED_SLICES_MAX)),
    );
    const inboxWaits = await Promise.all(storage.shards.all.map((db) => findInboxWait(db, { appId, taskId })));
    const waitEnds = inboxWaits.flatMap(({ until }) => (until === null ? [] : [until.getTime()]));
    const isDone = await isRecallDone(storage.home, { appId, taskId });
    const recallCounts =
      isDone === undefined
        ? []
        : await Promise.all(storage.shards.all.map((db) => countRecalls(db, { appId, taskId })));
    const recallsByChannel = Map.groupBy(recallCounts.flat(), ({ channel }) => channel);
    const slicesByChannel = Map.groupBy(failedSlices.flat(), ({ channel }) => channel);
    const failuresByChannel = new Map([...slicesByChannel].map(([channel, slices]) => [channel, sumFailures(slices)]));
    // Other callers can trace only some of the devices.
    const examplePlaces =
      caller.kind === 'admin' ? [...failuresByChannel.values()].flat().flatMap(({ places }) => places) : [];
    const pushTokens = await findPushTokens(storage.shards, { appId, taskId }, examplePlaces);
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
    };
  },
};

const sumOf = (counts: readonly RecallCounts[] = [], key: 'recalled' | 'failed'): bigint =>
  counts.reduce((sum, count) => sum + count[key], 0n);
