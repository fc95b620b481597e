import { vendors } from '#src/domain/channel.ts';
import { lanes, recentTaskRange, taskDaysBefore } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { findDaysWithWork } from '#src/storage/ledger/due-work.ts';
import { readClock, type TaskRange } from '#src/storage/ledger/tasks.ts';
import { countClosedGates, countSpentQuotas, estimateInbox, findOldestDue } from '#src/storage/upkeep/backlog.ts';
import { workerMetrics } from '../metrics.ts';

/** As often as most scrape. */
const WATCH_MS = 10_000;
/** Which older days have something open changes slowly, and to ask costs PostgreSQL a plan of sixty partitions. */
const DAYS_MS = 60_000;

const { backlogSeconds, gatesClosed, quotasSpent, inboxMessages } = workerMetrics;

/** Looks at what all workers share, for the metrics. Apart from the work, which needs none of it. */
export function startWatch({ truth, log }: { readonly truth: Truth; readonly log: Log }): { stop(): Promise<void> } {
  const days: Days = { older: [], readAt: Number.NEGATIVE_INFINITY };
  return repeat({
    pauseMs: WATCH_MS,
    work: async () => {
      await Promise.all([watchBacklog(truth, days), watchVendors(truth), watchInboxes(truth)]);
    },
    onError: (error) => {
      // What is not known any more is not told either.
      for (const metric of [backlogSeconds, gatesClosed, quotasSpent]) metric.reset();
      inboxMessages.remove();
      log.warn('watch-failed', { error });
    },
  });
}

/** Days before the last two of which something is open. */
interface Days {
  older: readonly TaskRange[];
  readAt: number;
}

async function watchBacklog({ home, shards }: Truth, days: Days): Promise<void> {
  const now = await readClock(home);
  const recent = recentTaskRange(now);
  if (performance.now() - days.readAt >= DAYS_MS) {
    days.older = await findDaysWithWork(home, taskDaysBefore(now, recent[0]));
    days.readAt = performance.now();
  }
  const found = await Promise.all(
    [recent, ...days.older].flatMap((range) => [
      findOldestDue(home, 'tasks', range),
      ...shards.all.flatMap((db) => [findOldestDue(db, 'slices', range), findOldestDue(db, 'expansions', range)]),
    ]),
  );
  for (const lane of lanes) {
    const ages = found.flat().filter((oldest) => oldest.lane === lane);
    backlogSeconds.set({ lane }, Math.max(0, ...ages.map(({ seconds }) => seconds)));
  }
}

async function watchVendors({ home }: Truth): Promise<void> {
  const [gates, quotas] = await Promise.all([countClosedGates(home), countSpentQuotas(home)]);
  for (const channel of vendors) {
    for (const why of ['locked-out', 'unreachable'] as const)
      gatesClosed.set({ channel, why }, gates.find((one) => one.channel === channel && one.why === why)?.count ?? 0);
    quotasSpent.set({ channel }, quotas.find((one) => one.channel === channel)?.count ?? 0);
  }
}

async function watchInboxes({ shards }: Truth): Promise<void> {
  const counts = await Promise.all(shards.all.map((db) => estimateInbox(db)));
  inboxMessages.set(counts.reduce((sum, count) => sum + count, 0));
}
