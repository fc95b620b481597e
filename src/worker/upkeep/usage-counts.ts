import { openTaskRange } from '#src/domain/task.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import {
  addUsage,
  type CeilingDefaults,
  ceilingColumns,
  countedCeilings,
  isReached,
  readAppLimits,
} from '#src/storage/accounts/ceilings.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { readClock } from '#src/storage/ledger/tasks.ts';
import {
  type CountByApp,
  countDevices,
  countOpenTasks,
  countUsers,
  estimateInboxRows,
  type RecordedUsage,
  readRecordedUsage,
} from '#src/storage/upkeep/usage-counts.ts';
import { setPeriodEnd, takePoints } from '#src/storage/users/rate-limits.ts';
import { workerMetrics } from '../metrics.ts';

/** Lets one worker count per interval. */
const TURN = 'usage-count';
/** The time between two counts, as a multiple of the duration of a count. A count therefore needs 2 % of a connection. */
const PAUSE_FACTOR = 50;

interface UsageOptions {
  readonly storage: Storage;
  readonly ceilings: CeilingDefaults;
  readonly log: Log;
}

/** Counts the usage of all apps regularly, and reports the apps that have reached a ceiling. */
export function startUsageCounts({ storage, ceilings, log }: UsageOptions): { stop(): Promise<void> } {
  const { countSeconds } = ceilings;
  let reached = new Set<string>();
  return repeat({
    pauseMs: countSeconds * 1_000,
    work: async () => {
      const [turn] = await takePoints(storage.home, [{ key: TURN, pointsMax: 1, seconds: countSeconds }]);
      const hasTurn = turn !== undefined && turn.remaining >= 0;
      if (hasTurn) await countInTurn(storage, countSeconds, log);
      const reachedNow = await reportUsage(storage, ceilings);
      for (const [key, fields] of reachedNow) if (hasTurn && !reached.has(key)) log.warn('app-ceiling-reached', fields);
      reached = new Set(reachedNow.keys());
    },
    onError: (error) => {
      for (const metric of [workerMetrics.ceilingUsage, workerMetrics.appsAtCeiling]) metric.reset();
      log.warn('usage-count-failed', { error });
    },
  });
}

async function countInTurn(storage: Storage, countSeconds: number, log: Log): Promise<void> {
  const began = performance.now();
  await countUsage(storage, log);
  const pauseSeconds = Math.ceil((PAUSE_FACTOR * (performance.now() - began)) / 1_000);
  if (pauseSeconds > countSeconds) await setPeriodEnd(storage.home, TURN, pauseSeconds);
}

/**
 * Counts, and then changes the recorded usage by the difference. Additions of API processes in the meantime are kept. If a
 * database is unavailable, the recorded value of this part stays.
 */
export async function countUsage({ home, shards }: Storage, log: Log): Promise<void> {
  const orUnknown = (counting: Promise<CountByApp>) =>
    counting.catch((error: unknown) => {
      log.warn('usage-count-failed', { error });
      return undefined;
    });
  const [openTasks, users, devices, inboxRows] = await Promise.all([
    orUnknown(readClock(home).then((now) => countOpenTasks(home, openTaskRange(now)))),
    orUnknown(countUsers(home)),
    orUnknown(Promise.all(shards.all.map((db) => countDevices(db))).then(sumByApp)),
    orUnknown(Promise.all(shards.all.map((db) => estimateInboxRows(db))).then(sumByApp)),
  ]);
  const counts = { openTasks, users, devices, inboxRows };
  const recorded = new Map((await readRecordedUsage(home)).map((usage) => [usage.appId, usage]));
  const appIds = new Set([...recorded.keys(), ...Object.values(counts).flatMap((count) => [...(count?.keys() ?? [])])]);
  const changes = [...appIds].map((appId) => {
    const change = (name: Exclude<keyof RecordedUsage, 'appId'>) =>
      counts[name] ? (counts[name].get(appId) ?? 0) - (recorded.get(appId)?.[name] ?? 0) : 0;
    return {
      ...{ appId, day: 0, bytes: 0, openTasks: change('openTasks'), users: change('users') },
      ...{ devices: change('devices'), inboxRows: change('inboxRows') },
    };
  });
  const corrections = changes.filter(
    (change) => change.openTasks !== 0 || change.users !== 0 || change.devices !== 0 || change.inboxRows !== 0,
  );
  if (corrections.length > 0) await addUsage(home, corrections);
}

function sumByApp(counts: readonly CountByApp[]): CountByApp {
  const sum: CountByApp = new Map();
  for (const [appId, count] of counts.flatMap((ofDatabase) => [...ofDatabase]))
    sum.set(appId, (sum.get(appId) ?? 0) + count);
  return sum;
}

/** The fields of a log event. */
type ReachedCeiling = Readonly<Record<'appId' | 'ceiling' | 'limit' | 'used', unknown>>;

/** Updates the metrics. Returns the ceilings that apps have reached, with the fields of a log event. */
async function reportUsage({ home }: Storage, defaults: CeilingDefaults): Promise<Map<string, ReachedCeiling>> {
  const apps = await readAppLimits(home, defaults, null);
  const reached = new Map<string, ReachedCeiling>();
  for (const name of countedCeilings) {
    const limited = apps.filter(({ ceilings }) => ceilings[name] > 0);
    const atCeiling = limited.filter(({ ceilings, usage }) => isReached(ceilings[name], usage[name]));
    const label = { ceiling: ceilingColumns[name] };
    const shares = limited.map(({ ceilings, usage }) => usage[name] / ceilings[name]);
    workerMetrics.ceilingUsage.set(
      label,
      shares.reduce((max, share) => Math.max(max, share), 0),
    );
    workerMetrics.appsAtCeiling.set(label, atCeiling.length);
    for (const { appId, ceilings, usage } of atCeiling)
      reached.set(`${name} ${appId}`, { appId, ...label, limit: ceilings[name], used: usage[name] });
  }
  return reached;
}
