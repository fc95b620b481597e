import type { Static } from 'typebox';
import { LEASE_MARGIN_SECONDS } from '#src/domain/lease.ts';
import { groupByDay, type Lane, lanes, openTaskRange } from '#src/domain/task.ts';
import { Batch } from '#src/foundation/batch.ts';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import { settleAll } from '#src/foundation/settle-all.ts';
import type { Signals } from '#src/signals/signals.ts';
import { onWakeUp } from '#src/signals/wake-up.ts';
import type { Keyrings } from '#src/storage/accounts/master-keys.ts';
import type { HomeDb, Storage } from '#src/storage/database/database.ts';
import { deleteExpiredInboxRows } from '#src/storage/devices/inbox.ts';
import { type ClaimedTask, markPlanned, type PlannedMark, readClock } from '#src/storage/ledger/tasks.ts';
import { VendorSender } from '#src/vendors/sender.ts';
import type { vendorSettings } from '#src/vendors/settings.ts';
import { Accounts } from './accounts/accounts.ts';
import { Breakers } from './accounts/breakers.ts';
import { LastResponses } from './accounts/last-responses.ts';
import { ProviderTokenStore } from './accounts/provider-token-store.ts';
import { QuotaUsageWriter } from './accounts/quota-usage.ts';
import { Quotas } from './accounts/quotas.ts';
import { Rates } from './accounts/rates.ts';
import { SuspectTokens } from './accounts/suspect-tokens.ts';
import { Slots } from './claim/slots.ts';
import { SWEEP_MS, Sweep } from './claim/sweep.ts';
import type { WorkerContext } from './context.ts';
import { AppTurns } from './pacing/app-turns.ts';
import { BulkThrottle } from './pacing/bulk-throttle.ts';
import { CancelChecks } from './pacing/cancel-checks.ts';
import { IndependentWork } from './pacing/independent-work.ts';
import { ReleaseQueue } from './pacing/release-claims.ts';
import { TaskCache } from './pacing/task-cache.ts';
import { UnrecordedBits } from './pacing/unrecorded-bits.ts';
import { Recalls } from './recall/recalls.ts';
import { cancelDisabledApps } from './send/cancel.ts';
import { countedUserOf, type PlannedCall } from './send/work.ts';
import type { workerSettings } from './settings.ts';
import { chainAudit } from './upkeep/chain-audit.ts';
import { eraseUsers } from './upkeep/erase-users.ts';
import { runHousekeeping } from './upkeep/housekeeping.ts';

interface WorkerOptions {
  readonly settings: Static<typeof workerSettings> & Static<typeof vendorSettings>;
  readonly storage: Storage;
  readonly signals: Signals;
  readonly keyrings: Pick<Keyrings, 'callbacks' | 'credentials'>;
  readonly log: Log;
}

export interface Worker {
  stop(): Promise<void>;
}

const HOUSEKEEPING_MS = 60 * 60 * 1_000;
const CLEANUP_MS = 60_000;
const ERASING_MS = 60_000;
const RECALLING_MS = 5_000;
const EXPIRED_ROWS_MAX = 10_000;
/**
 * The maximum number of freed slots. For prompt work, 256 are enough: an unresponsive vendor holds each one until the
 * deadline, and by then its breaker is tripped. Bulk work gets none, because its rounds take turns. With more rounds in
 * the queue, outcomes would be written after the lease has ended.
 */
const FREED_SLOTS_MAX: Readonly<Record<Lane, number>> = { prompt: 256, bulk: 0 };
const PLANNED_BATCH = { sizeMax: 256, queueMax: 10_000 };

/** Starts a worker. It claims and expands tasks, sends slices, and takes over work that crashed workers left. */
export async function startWorker({ settings, storage, signals, keyrings, log }: WorkerOptions): Promise<Worker> {
  checkLease(settings);
  const clock = new DatabaseClock();
  clock.observe(await readClock(storage.home));
  const createSlots = (lane: Lane) =>
    new Slots({
      count: settings.CARILLON_WORKER_SLOTS / 2,
      claim: (onClaimed) => sweep.claim(lane, onClaimed),
      onError: (error) => log.warn('work-failed', { error }),
      freedMax: FREED_SLOTS_MAX[lane],
    });
  const slots = { prompt: createSlots('prompt'), bulk: createSlots('bulk') };
  const unrecordedBits = new UnrecordedBits();
  const context: WorkerContext = {
    settings,
    storage,
    signals,
    clock,
    accounts: new Accounts(storage.home, keyrings),
    breakers: new Breakers({ db: storage.home, clock, log, probeSeconds: settings.CARILLON_BREAKER_PROBE_SECONDS }),
    lastResponses: new LastResponses({ db: storage.home, clock, log }),
    suspectTokens: new SuspectTokens<PlannedCall>(countedUserOf),
    quotas: new Quotas({ db: storage.home, clock, log }),
    quotaUsage: new QuotaUsageWriter({ db: storage.home, clock, log }),
    rates: new Rates(storage.home),
    slots,
    taskCache: new TaskCache(storage.home),
    sender: new VendorSender(
      settings,
      new ProviderTokenStore(storage.home, keyrings.credentials, settings.CARILLON_VENDOR_DEADLINE_SECONDS),
    ),
    appTurns: { prompt: new AppTurns('prompt'), bulk: new AppTurns('bulk') },
    bulkThrottle: new BulkThrottle(),
    independentWork: new IndependentWork(log),
    cancelChecks: new CancelChecks(storage.home),
    releaseQueue: new ReleaseQueue(storage, settings.CARILLON_LEASE_SECONDS, unrecordedBits),
    unrecordedBits,
    plannedMarks: new Batch({ ...PLANNED_BATCH, run: (claims) => markPlannedByDay(storage.home, claims) }),
    tasksBeingPlanned: new Map(),
    bulkTasksToCheck: new Set(),
    log,
  };
  const sweep = new Sweep(context, (lane) => slots[lane].wakeUp());
  for (const lane of lanes) onWakeUp(signals, lane, (kinds) => sweep.announce(lane, kinds));

  const sweeping = repeat({
    pauseMs: SWEEP_MS,
    work: () => sweep.run(),
    onError: (error) => log.warn('sweep-failed', { error }),
  });
  const cleanup = repeat({
    pauseMs: CLEANUP_MS,
    work: async () => {
      await settleAll([
        ...storage.shards.all.map((db) => deleteExpiredInboxRows(db, EXPIRED_ROWS_MAX)),
        cancelDisabledApps(context, openTaskRange(clock.now()), null),
        chainAudit(storage.home, log),
      ]);
    },
    onError: (error) => log.warn('cleanup-failed', { error }),
  });
  const housekeeping = repeat({
    pauseMs: HOUSEKEEPING_MS,
    work: () => runHousekeeping(context),
    onError: (error) => log.warn('housekeeping-failed', { error }),
  });
  const stopping = new AbortController();
  const erasing = repeat({
    pauseMs: ERASING_MS,
    work: () => eraseUsers(storage, log, stopping.signal),
    onError: (error) => log.warn('erasure-failed', { error }),
  });
  const recalls = new Recalls(context);
  const recalling = repeat({
    pauseMs: RECALLING_MS,
    work: () => recalls.start(),
    onError: (error) => log.warn('recall-failed', { error }),
  });
  log.info('worker-started', { slots: settings.CARILLON_WORKER_SLOTS });

  return {
    stop: async () => {
      sweep.stop();
      stopping.abort();
      await Promise.all([
        sweeping.stop(),
        cleanup.stop(),
        housekeeping.stop(),
        erasing.stop(),
        recalling.stop().then(() => recalls.stop()),
        ...lanes.map((lane) => slots[lane].stop()),
      ]);
      await context.independentWork.idle();
      await context.quotaUsage.stop();
      context.sender.close();
    },
  };
}

/** Marks tasks as planned, with one statement for each day. Returns one result per task, in order. */
async function markPlannedByDay(home: HomeDb, claims: readonly ClaimedTask[]): Promise<(PlannedMark | undefined)[]> {
  const days = groupByDay(claims, ({ task }) => task.taskId);
  const marks = (await Promise.all(days.map((ofDay) => markPlanned(home, ofDay)))).flat();
  const markByTask = new Map(marks.map((mark) => [mark?.taskId, mark]));
  return claims.map(({ task }) => markByTask.get(task.taskId));
}

/**
 * Throws if the lease is not longer than a call to a vendor. Another worker could otherwise repeat a call that is still
 * running.
 */
export function checkLease(settings: WorkerOptions['settings']): void {
  const secondsMin = settings.CARILLON_VENDOR_DEADLINE_SECONDS + 2 * LEASE_MARGIN_SECONDS;
  if (settings.CARILLON_LEASE_SECONDS >= secondsMin) return;
  throw new SettingsError([
    `CARILLON_LEASE_SECONDS must be at least CARILLON_VENDOR_DEADLINE_SECONDS + ${2 * LEASE_MARGIN_SECONDS}, which is ${secondsMin}`,
  ]);
}
