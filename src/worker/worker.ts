import type { Static } from 'typebox';
import type { channelSettings } from '#src/channels/settings.ts';
import { VendorSender } from '#src/channels/vendors/send.ts';
import { type Lane, lanes } from '#src/domain/task.ts';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { Keyring } from '#src/foundation/sealed-box.ts';
import { onDoorbell } from '#src/motion/doorbell.ts';
import type { Motion } from '#src/motion/motion.ts';
import type { Truth } from '#src/truth/database.ts';
import { ensureHomePartitions, ensureShardPartitions } from '#src/truth/partitions.ts';
import { forgetDeadGateways } from '#src/truth/presence.ts';
import { claimSlices } from '#src/truth/slices.ts';
import { claimTasks, claimUnfinishedTasks, readClock } from '#src/truth/tasks.ts';
import { Accounts } from './accounts.ts';
import type { WorkerContext } from './context.ts';
import { dispatch } from './dispatch.ts';
import { expandTasks } from './expand.ts';
import { finishTasks } from './finish.ts';
import type { workerSettings } from './settings.ts';
import { Slots } from './slots.ts';
import { TaskCache } from './task-cache.ts';

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

/** Small tasks and slices travel together, up to so many: one by one each would cost its own round trips. */
const GROUP_MAX = 64;
/** Doorbells may vanish, so everything is also looked for this often. */
const SWEEP_MS = 1_000;
const HOUSEKEEPING_MS = 60 * 60 * 1_000;
const UNFINISHED_MAX = 200;
/** After the vendor's deadline the outcome must still be written within the lease. */
const LEASE_MARGIN_SECONDS = 2;

/** Looks for work and does it: expands tasks, sends slices, sweeps up what others left. */
export async function startWorker({ settings, truth, motion, keyring, log }: WorkerOptions): Promise<Worker> {
  if (settings.CARILLON_LEASE_SECONDS < settings.CARILLON_VENDOR_DEADLINE_SECONDS + LEASE_MARGIN_SECONDS)
    throw new Error('CARILLON_LEASE_SECONDS must be at least CARILLON_VENDOR_DEADLINE_SECONDS + 2.');
  const clock = new DatabaseClock();
  clock.observe(await readClock(truth.home));
  const context: WorkerContext = {
    settings,
    truth,
    motion,
    clock,
    accounts: new Accounts(truth.home, keyring),
    tasks: new TaskCache(truth.home),
    sender: new VendorSender(settings),
    log,
  };
  const onError = (error: unknown) => log.warn('work-failed', { error });
  const slots = new Map(
    lanes.map((lane) => [
      lane,
      new Slots({ count: settings.CARILLON_WORKER_SLOTS / 2, ask: () => lookForWork(context, lane), onError }),
    ]),
  );
  for (const [lane, some] of slots) onDoorbell(motion, lane, () => some.ring());

  const sweep = repeat({
    pauseMs: SWEEP_MS,
    work: async () => {
      clock.observe(await readClock(truth.home));
      for (const some of slots.values()) some.ring();
      await finishTasks(context, await claimUnfinishedTasks(truth.home, UNFINISHED_MAX, clock.now()));
    },
    onError: (error) => log.warn('sweep-failed', { error }),
  });
  const housekeeping = repeat({
    pauseMs: HOUSEKEEPING_MS,
    work: async () => {
      await ensureHomePartitions(truth.home);
      for (const db of truth.shards.all) {
        await ensureShardPartitions(db);
        await forgetDeadGateways(db);
      }
    },
    onError: (error) => log.warn('housekeeping-failed', { error }),
  });
  log.info('worker-works', { slots: settings.CARILLON_WORKER_SLOTS });

  return {
    stop: async () => {
      await Promise.all([sweep.stop(), housekeeping.stop(), ...[...slots.values()].map((some) => some.stop())]);
      context.sender.close();
    },
  };
}

/** One question to each database. True: there was something, so there may be more. */
async function lookForWork(context: WorkerContext, lane: Lane): Promise<boolean> {
  const { truth, clock } = context;
  const claim = { limit: GROUP_MAX, leaseSeconds: context.settings.CARILLON_LEASE_SECONDS, now: clock.now() };
  const [tasks, ...slices] = await Promise.all([
    claimTasks(truth.home, { ...claim, lane }),
    ...truth.shards.all.map((db) => claimSlices(db, { ...claim, lane })),
  ]);
  for (const { task } of tasks) context.tasks.add(task);
  await Promise.all([
    tasks.length > 0 && expandTasks(context, tasks).then((born) => dispatch(context, born)),
    ...slices.filter((some) => some.length > 0).map((some) => dispatch(context, some)),
  ]);
  if (tasks.length > 0)
    await finishTasks(
      context,
      tasks.map(({ task }) => task.taskId),
    );
  return tasks.length > 0 || slices.some((some) => some.length > 0);
}
