import { adminTaskQuarantined } from '#src/contract/admin/task/quarantined.ts';
import { recentTaskRange, type TaskRange } from '#src/domain/task.ts';
import { settleAvailable } from '#src/foundation/settle-all.ts';
import { findQuarantined } from '#src/storage/ledger/failed-work.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import type { Route } from '../../../context.ts';

const TASKS_MAX = 1_000;

export const adminTaskQuarantinedRoute: Route<typeof adminTaskQuarantined> = {
  operation: adminTaskQuarantined,
  handle: async ({ storage: { home, shards } }, { app: { appId } }) => {
    const range: TaskRange = [0n, recentTaskRange(await readClock(home))[1]];
    const ofHome = await findQuarantined(home, 'tasks', appId, range, TASKS_MAX);
    const searches = shards.all.flatMap((db) => [
      findQuarantined(db, 'expansions', appId, range, TASKS_MAX),
      findQuarantined(db, 'slices', appId, range, TASKS_MAX),
    ]);
    const ofShards = await settleAvailable(searches);
    const found = [ofHome, ...ofShards];
    const byTask = Map.groupBy(found.flat(), ({ taskId, kind }) => `${taskId} ${kind}`);
    const merged = [...byTask.values()].map((parts) => {
      const latest = parts.reduce((a, b) => (a.failedAt > b.failedAt ? a : b));
      return { ...latest, rows: parts.reduce((sum, { rows }) => sum + rows, 0) };
    });
    const sorted = merged.toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime()).slice(0, TASKS_MAX);
    return {
      list: sorted.map(({ taskId, kind, rows, error, failedAt }) => ({
        ...{ task_id: taskId, kind, rows, error },
        failed_at: BigInt(failedAt.getTime()),
      })),
      incomplete: ofShards.length < searches.length,
    };
  },
};
