import { ceilingDefaultsOf } from '#src/storage/settings.ts';
import { startBacklogMetrics } from '#src/worker/upkeep/backlog-metrics.ts';
import { startDailyCounts } from '#src/worker/upkeep/daily-counts.ts';
import { startUsageCounts } from '#src/worker/upkeep/usage-counts.ts';
import { checkLease, startWorker } from '#src/worker/worker.ts';
import { readKeyrings, rolePurposes } from '../settings.ts';
import type { RoleModule } from './role-module.ts';

export const workerRole: RoleModule = {
  checkSettings: ({ seal, worker, vendors }) => {
    readKeyrings(seal, rolePurposes.worker);
    checkLease({ ...worker, ...vendors });
  },

  start: async ({ settings, ...parts }) => {
    const worker = await startWorker({
      ...parts,
      settings: { ...settings.worker, ...settings.vendors },
      keyrings: readKeyrings(settings.seal, rolePurposes.worker),
    });
    const upkeep = [
      startBacklogMetrics(parts),
      startDailyCounts(parts),
      startUsageCounts({ ...parts, ceilings: ceilingDefaultsOf(settings.ceilings) }),
    ];
    return {
      stop: () => Promise.all([...upkeep.map((loop) => loop.stop()), worker.stop()]).then(() => undefined),
    };
  },
};
