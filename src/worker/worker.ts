import type { Static } from 'typebox';
import type { channelSettings } from '#src/channels/settings.ts';
import { VendorSender } from '#src/channels/vendors/send.ts';
import { LEASE_MARGIN_SECONDS } from '#src/domain/lease.ts';
import { type Lane, lanes, openTaskRange, recentTaskRange } from '#src/domain/task.ts';
import { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import type { Keyring } from '#src/foundation/sealed-box.ts';
import { onDoorbell, ringDoorbell } from '#src/motion/doorbell.ts';
import type { Motion } from '#src/motion/motion.ts';
import type { Truth } from '#src/truth/database.ts';
import { claimExpansions, type HeldExpansion } from '#src/truth/expansions.ts';
import { deleteExpiredInbox } from '#src/truth/inbox.ts';
import { claimSlices, type HeldSlice } from '#src/truth/slices.ts';
import { type ClaimedTask, claimTasks, claimUnfinishedTasks, readClock, type TaskRange } from '#src/truth/tasks.ts';
import { Accounts } from './accounts.ts';
import { spreadCancels } from './cancel.ts';
import type { Work, WorkerContext } from './context.ts';
import { dispatch } from './dispatch.ts';
import { expandShard, expandTasks, planShards } from './expand.ts';
import { finishTasks } from './finish.ts';
import { Gates } from './gates.ts';
import { keepHouse } from './keep-house.ts';
import { groupByNeeds, settleAll, shardsOfTask } from './needs.ts';
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
/** So many places, about, travel together: what a crash leaves in doubt is bounded by it. */
const PLACES_MAX = 2_048;
const TIDY_MS = 60_000;
const EXPIRED_ROWS_MAX = 10_000;

/** Looks for work and does it: expands tasks, sends slices, sweeps up what others left. */
export async function startWorker({ settings, truth, motion, keyring, log }: WorkerOptions): Promise<Worker> {
  if (settings.CARILLON_LEASE_SECONDS < settings.CARILLON_VENDOR_DEADLINE_SECONDS + 2 * LEASE_MARGIN_SECONDS)
    throw new Error('CARILLON_LEASE_SECONDS must be at least CARILLON_VENDOR_DEADLINE_SECONDS + 4.');
  const clock = new DatabaseClock();
  clock.observe(await readClock(truth.home));
  const context: WorkerContext = {
    settings,
    truth,
    motion,
    clock,
    accounts: new Accounts(truth.home, keyring),
    gates: new Gates({ db: truth.home, clock, log, probeSeconds: settings.CARILLON_GATE_PROBE_SECONDS }),
    tasks: new TaskCache(truth.home),
    sender: new VendorSender(settings),
    log,
  };
  const onError = (error: unknown) => log.warn('work-failed', { error });
  // A doorbell is about what was accepted just now. The sweep looks at everything that can be open, however old.
  const sweepDue = new Set<Lane>();
  const slots = new Map(
    lanes.map((lane) => [
      lane,
      new Slots({
        count: settings.CARILLON_WORKER_SLOTS / 2,
        ask: () => {
          const range = sweepDue.delete(lane) ? openTaskRange : recentTaskRange;
          return lookForWork(context, lane, range(clock.now()));
        },
        onError,
      }),
    ]),
  );
  for (const [lane, some] of slots) onDoorbell(motion, lane, () => some.ring());

  const sweep = repeat({
    pauseMs: SWEEP_MS,
    work: async () => {
      clock.observe(await readClock(truth.home));
      for (const [lane, some] of slots) {
        sweepDue.add(lane);
        some.ring();
      }
      const range = openTaskRange(clock.now());
      const unfinished = await claimUnfinishedTasks(truth.home, UNFINISHED_MAX, range);
      await spreadCancels(context, unfinished);
      await finishTasks(
        context,
        unfinished.map(({ taskId }) => taskId),
      );
    },
    onError: (error) => log.warn('sweep-failed', { error }),
  });
  const tidying = repeat({
    pauseMs: TIDY_MS,
    work: async () => {
      for (const db of truth.shards.all) await deleteExpiredInbox(db, EXPIRED_ROWS_MAX);
    },
    onError: (error) => log.warn('tidying-failed', { error }),
  });
  const housekeeping = repeat({
    pauseMs: HOUSEKEEPING_MS,
    work: () => keepHouse(truth),
    onError: (error) => log.warn('housekeeping-failed', { error }),
  });
  log.info('worker-works', { slots: settings.CARILLON_WORKER_SLOTS });

  return {
    stop: async () => {
      await Promise.all([
        sweep.stop(),
        tidying.stop(),
        housekeeping.stop(),
        ...[...slots.values()].map((some) => some.stop()),
      ]);
      context.sender.close();
    },
  };
}

/**
 * One question to each database, and whatever it brings is done. Each is a chain of its own: a database that is away
 * stops nothing of what the others have. True: there was something, so there may be more.
 */
async function lookForWork(context: WorkerContext, lane: Lane, taskRange: TaskRange): Promise<boolean> {
  const { truth, settings } = context;
  const claim = { lane, limit: GROUP_MAX, leaseSeconds: settings.CARILLON_LEASE_SECONDS, taskRange };
  const askedMs = performance.now();
  const chains = await Promise.allSettled([
    claimTasks(truth.home, claim).then((tasks) => takeTasks(context, lane, tasks)),
    ...truth.shards.all.flatMap((db) => [
      claimExpansions(db, { ...claim, limit: 1 }).then((expansions) => takeExpansions(context, lane, expansions)),
      claimSlices(db, { ...claim, placesMax: PLACES_MAX }).then((slices) => takeSlices(context, slices, askedMs)),
    ]),
  ]);
  const failed = chains.find((chain) => chain.status === 'rejected');
  if (failed) throw failed.reason;
  return chains.some((chain) => chain.status === 'fulfilled' && chain.value);
}

async function takeTasks(context: WorkerContext, lane: Lane, tasks: readonly ClaimedTask[]): Promise<boolean> {
  if (tasks.length === 0) return false;
  for (const { task } of tasks) context.tasks.add(task);
  const lists = tasks.filter(({ expansions }) => expansions === 1);
  const everyone = tasks.filter(({ expansions }) => expansions > 1);
  if (everyone.length > 0) {
    await planShards(context, everyone);
    ringDoorbell(context.motion, lane);
  }
  await settleAll(
    groupByNeeds(context.truth.shards, lists, ({ task }) => shardsOfTask(task)).map(async (group) => {
      await dispatch(context, await expandTasks(context, group));
      await finishTasks(
        context,
        group.map(({ task }) => task.taskId),
      );
    }),
  );
  return true;
}

async function takeExpansions(
  context: WorkerContext,
  lane: Lane,
  expansions: readonly HeldExpansion[],
): Promise<boolean> {
  for (const expansion of expansions) {
    await expandShard(context, expansion);
    ringDoorbell(context.motion, lane);
    await finishTasks(context, [expansion.taskId]);
  }
  return expansions.length > 0;
}

async function takeSlices(context: WorkerContext, slices: readonly HeldSlice[], heldSinceMs: number): Promise<boolean> {
  const tasks = await context.tasks.get(slices.map(({ taskId }) => taskId));
  const works = slices.flatMap((slice): Work[] => {
    const task = tasks.get(slice.taskId);
    return task ? [{ slice, task, heldSinceMs }] : [];
  });
  await dispatch(context, works);
  return slices.length > 0;
}
