import type { Static } from 'typebox';
import { LEASE_MARGIN_SECONDS } from '#src/domain/lease.ts';
import { type Lane, lanes, openTaskRange } from '#src/domain/task.ts';
import { Batch } from '#src/foundation/batch.ts';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { Keyring } from '#src/foundation/sealed-box.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import type { Motion } from '#src/signals/signals.ts';
import { onDoorbell } from '#src/signals/wake-up.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { deleteExpiredInbox } from '#src/storage/devices/inbox.ts';
import { markPlanned, readClock } from '#src/storage/ledger/tasks.ts';
import { VendorSender } from '#src/vendors/sender.ts';
import type { channelSettings } from '#src/vendors/settings.ts';
import { Accounts } from './accounts/accounts.ts';
import { Gates } from './accounts/breakers.ts';
import { ProviderTokenStore } from './accounts/provider-token-store.ts';
import { Quotas } from './accounts/quotas.ts';
import { Rates } from './accounts/rates.ts';
import { Doubts } from './accounts/suspect-tokens.ts';
import { LentSlots } from './claim/extra-slots.ts';
import { Slots } from './claim/slots.ts';
import { SWEEP_MS, Sweep } from './claim/sweep.ts';
import type { WorkerContext } from './context.ts';
import { LaneTurns } from './pacing/app-turns.ts';
import { Courtesy } from './pacing/bulk-throttle.ts';
import { LetGo } from './pacing/release-claims.ts';
import { TaskCache } from './pacing/task-cache.ts';
import { cancelShutApps } from './send/cancel.ts';
import type { workerSettings } from './settings.ts';
import { keepHouse } from './upkeep/housekeeping.ts';

interface WorkerOptions {
  readonly settings: Static<typeof workerSettings> & Static<typeof channelSettings>;
  readonly truth: Truth;
  readonly motion: Motion;
  readonly keyring: Keyring;
  readonly log: Log;
}

export interface Worker {
  stop(): Promise<void>;
}

const HOUSEKEEPING_MS = 60 * 60 * 1_000;
const TIDY_MS = 60_000;
const EXPIRED_ROWS_MAX = 10_000;
const PLANNED_TOGETHER = { sizeMax: 256, queueMax: 10_000 };

/** Looks for work and does it: expands tasks, sends slices, sweeps up what others left. */
export async function startWorker({ settings, truth, motion, keyring, log }: WorkerOptions): Promise<Worker> {
  checkLease(settings);
  const clock = new DatabaseClock();
  clock.observe(await readClock(truth.home));
  const context: WorkerContext = {
    settings,
    truth,
    motion,
    clock,
    accounts: new Accounts(truth.home, keyring),
    gates: new Gates({ db: truth.home, clock, log, probeSeconds: settings.CARILLON_GATE_PROBE_SECONDS }),
    doubts: new Doubts(),
    quotas: new Quotas({ db: truth.home, clock, log }),
    rates: new Rates(truth.home),
    lentSlots: new LentSlots((lane) => slots[lane].lend()),
    tasks: new TaskCache(truth.home),
    sender: new VendorSender(
      settings,
      new ProviderTokenStore(truth.home, keyring, settings.CARILLON_VENDOR_DEADLINE_SECONDS),
    ),
    turns: { prompt: new LaneTurns('prompt'), bulk: new LaneTurns('bulk') },
    courtesy: new Courtesy(),
    letGo: new LetGo(truth, settings.CARILLON_LEASE_SECONDS),
    planned: new Batch({ ...PLANNED_TOGETHER, run: (claims) => markPlanned(truth.home, claims) }),
    planning: new Map(),
    closedBulk: new Set(),
    log,
  };
  const sweep = new Sweep(context, (lane) => slots[lane].ring());
  const slotsOf = (lane: Lane) =>
    new Slots({
      count: settings.CARILLON_WORKER_SLOTS / 2,
      ask: (taken) => sweep.look(lane, taken),
      onError: (error) => log.warn('work-failed', { error }),
      lent: () => context.lentSlots.count(lane),
    });
  const slots = { prompt: slotsOf('prompt'), bulk: slotsOf('bulk') };
  for (const lane of lanes) onDoorbell(motion, lane, () => slots[lane].ring());

  const sweeping = repeat({
    pauseMs: SWEEP_MS,
    work: () => sweep.run(),
    onError: (error) => log.warn('sweep-failed', { error }),
  });
  const tidying = repeat({
    pauseMs: TIDY_MS,
    work: async () => {
      for (const db of truth.shards.all) await deleteExpiredInbox(db, EXPIRED_ROWS_MAX);
      await cancelShutApps(context, openTaskRange(clock.now()), null);
    },
    onError: (error) => log.warn('tidying-failed', { error }),
  });
  const housekeeping = repeat({
    pauseMs: HOUSEKEEPING_MS,
    work: () => keepHouse(context),
    onError: (error) => log.warn('housekeeping-failed', { error }),
  });
  log.info('worker-works', { slots: settings.CARILLON_WORKER_SLOTS });

  return {
    stop: async () => {
      await Promise.all([
        sweeping.stop(),
        tidying.stop(),
        housekeeping.stop(),
        ...lanes.map((lane) => slots[lane].stop()),
      ]);
      sweep.stop();
      context.sender.close();
    },
  };
}

/** A lease outlives a call to a vendor, or another worker would make the same call while it is under way. */
export function checkLease(settings: WorkerOptions['settings']): void {
  const secondsMin = settings.CARILLON_VENDOR_DEADLINE_SECONDS + 2 * LEASE_MARGIN_SECONDS;
  if (settings.CARILLON_LEASE_SECONDS >= secondsMin) return;
  throw new SettingsError([
    `CARILLON_LEASE_SECONDS must be at least CARILLON_VENDOR_DEADLINE_SECONDS + ${2 * LEASE_MARGIN_SECONDS}, which is ${secondsMin}`,
  ]);
}
