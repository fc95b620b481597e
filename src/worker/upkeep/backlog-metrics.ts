import { vendorNames } from '#src/domain/channel.ts';
import { lanes, recentTaskRange, type TaskRange, taskDaysBefore, workKinds } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { findDaysWithWork } from '#src/storage/ledger/due-work.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import {
  countExhaustedQuotas,
  countTrippedBreakers,
  estimateInboxSize,
  readBacklog,
} from '#src/storage/upkeep/backlog.ts';
import { workerMetrics } from '../metrics.ts';

/** About as often as metrics are usually scraped. */
const REFRESH_MS = 10_000;
/** The set of older days with open work changes slowly, and PostgreSQL must plan the query over sixty partitions. */
const DAYS_REFRESH_MS = 60_000;

const { backlogSeconds, quarantinedWork, breakersTripped, quotasExhausted, inboxMessages } = workerMetrics;

/**
 * Refreshes the metrics of the state that all workers share. Runs separately from the work, which does not depend on
 * these metrics.
 */
export function startBacklogMetrics({ storage, log }: { readonly storage: Storage; readonly log: Log }): {
  stop(): Promise<void>;
} {
  const days: OlderDays = { ranges: [], readAt: Number.NEGATIVE_INFINITY };
  return repeat({
    pauseMs: REFRESH_MS,
    work: async () => {
      await Promise.all([updateBacklog(storage, days), updateVendors(storage), updateInboxes(storage)]);
    },
    onError: (error) => {
      // Removes values that can no longer be refreshed.
      for (const metric of [backlogSeconds, quarantinedWork, breakersTripped, quotasExhausted]) metric.reset();
      inboxMessages.remove();
      log.warn('backlog-metrics-failed', { error });
    },
  });
}

/** Days with open work, except the last two days. */
interface OlderDays {
  ranges: readonly TaskRange[];
  readAt: number;
}

async function updateBacklog({ home, shards }: Storage, days: OlderDays): Promise<void> {
  const now = await readClock(home);
  const recent = recentTaskRange(now);
  if (performance.now() - days.readAt >= DAYS_REFRESH_MS) {
    days.ranges = await findDaysWithWork(home, taskDaysBefore(now, recent[0]));
    days.readAt = performance.now();
  }
  const reads = [recent, ...days.ranges].flatMap((range) => [
    readBacklog(home, 'tasks', range),
    ...shards.all.flatMap((db) => [readBacklog(db, 'slices', range), readBacklog(db, 'expansions', range)]),
  ]);
  const backlogs = (await Promise.all(reads)).flat();
  for (const lane of lanes) {
    const ages = backlogs.filter((backlog) => backlog.lane === lane).map(({ seconds }) => seconds);
    backlogSeconds.set({ lane }, Math.max(0, ...ages));
  }
  for (const kind of workKinds) {
    const counts = backlogs.filter(({ table }) => table === kind).map((backlog) => backlog.quarantined);
    quarantinedWork.set(
      { kind },
      counts.reduce((sum, count) => sum + count, 0),
    );
  }
}

async function updateVendors({ home }: Storage): Promise<void> {
  const [breakers, quotas] = await Promise.all([countTrippedBreakers(home), countExhaustedQuotas(home)]);
  for (const channel of vendorNames) {
    for (const cause of ['locked-out', 'unreachable'] as const)
      breakersTripped.set(
        { channel, reason: cause },
        breakers.find((row) => row.channel === channel && row.cause === cause)?.count ?? 0,
      );
    quotasExhausted.set({ channel }, quotas.find((row) => row.channel === channel)?.count ?? 0);
  }
}

async function updateInboxes({ shards }: Storage): Promise<void> {
  const counts = await Promise.all(shards.all.map((db) => estimateInboxSize(db)));
  inboxMessages.set(counts.reduce((sum, count) => sum + count, 0));
}
