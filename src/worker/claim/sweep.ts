import {
  freshTaskRange,
  type Lane,
  lanes,
  openTaskRange,
  recentTaskRange,
  type TaskRange,
  taskDaysBefore,
  type WorkKind,
  workKinds,
} from '#src/domain/task.ts';
import { settleAll, settleAvailable } from '#src/foundation/settle-all.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import { findDaysWithWork, findNextDue } from '#src/storage/ledger/due-work.ts';
import { claimUnfinishedTasks, readClock } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { ClockGuard } from '../pacing/clock-guard.ts';
import { cancelDisabledApps, propagateCancels, RECENTLY_DISABLED_SECONDS } from '../send/cancel.ts';
import { finishTasks } from '../send/finish.ts';
import { claimDueTasks, claimWork } from './claim-work.ts';
import type { OnClaimed } from './slots.ts';

const newPromptWork: ReadonlySet<WorkKind> = new Set(['tasks']);
const UNFINISHED_MAX = 200;
/** The set of older days with open work changes slowly, because a new task always belongs to today. */
const DAYS_REFRESH_MS = 60_000;
export const SWEEP_MS = 1_000;

/**
 * Finds all work that no wake-up signal announced, or whose signal was lost. This is work that becomes due, work that a
 * crashed worker left, and finished tasks that are not marked as finished.
 */
export class Sweep {
  readonly #context: WorkerContext;
  readonly #wakeUp: (lane: Lane) => void;
  readonly #clockGuard: ClockGuard;
  /** The kinds of work that signals have announced. It belongs to recent tasks. */
  readonly #announced: Readonly<Record<Lane, Set<WorkKind>>> = { prompt: new Set(), bulk: new Set() };
  /** The kinds of work that the next claim looks for in all days. */
  readonly #toSweep: Readonly<Record<Lane, Set<WorkKind>>> = { prompt: new Set(), bulk: new Set() };
  #olderDays: readonly TaskRange[] = [];
  #daysReadAt = Number.NEGATIVE_INFINITY;
  #timers: NodeJS.Timeout[] = [];
  #stopped = false;

  constructor(context: WorkerContext, wakeUp: (lane: Lane) => void) {
    this.#context = context;
    this.#wakeUp = wakeUp;
    this.#clockGuard = new ClockGuard(context.clock, context.log);
  }

  /**
   * Claims work of a lane: due work of all days if a sweep is due, and the work that a wake-up signal announces. Returns
   * whether there may be more.
   */
  async claim(lane: Lane, onClaimed: OnClaimed): Promise<boolean> {
    if (this.#clockGuard.hasJumped) return false;
    const { clock } = this.#context;
    const swept = takeAll(this.#toSweep[lane]);
    // New prompt work is always a task, and the worker that claims the task expands and sends it. The sweep finds all
    // other work when it is due.
    if (lane === 'prompt' && swept.size === 0)
      return claimDueTasks(this.#context, lane, freshTaskRange(clock.now()), onClaimed);
    onClaimed();
    const announced = lane === 'prompt' ? newPromptWork : takeAll(this.#announced[lane]);
    const isStopped = () => this.#stopped || this.#clockGuard.hasJumped;
    const claimRecent = claimWork(this.#context, {
      ...{ lane, isStopped },
      kinds: new Set([...swept, ...announced]),
      taskRange: () => recentTaskRange(clock.now()),
    });
    const olderDays = swept.size > 0 ? this.#olderDays : [];
    const claimOlder = olderDays.map((day) =>
      claimWork(this.#context, { ...{ lane, isStopped }, kinds: swept, taskRange: () => day }),
    );
    await settleAll([claimRecent, ...claimOlder]);
    return false;
  }

  /** Records that work of these kinds may be due, and starts a claim. */
  announce(lane: Lane, kinds: readonly WorkKind[]): void {
    for (const kind of kinds) this.#announced[lane].add(kind);
    this.#wakeUp(lane);
  }

  async run(): Promise<void> {
    const { clock, storage } = this.#context;
    // Must come first, because shards are swept even while the home database is unavailable.
    this.#sweepAll();
    this.#releaseClaims();
    this.#clockGuard.observe(await readClock(storage.home));
    if (this.#clockGuard.hasJumped) return;
    await this.#readDays();
    const recent = recentTaskRange(clock.now());
    await cancelDisabledApps(this.#context, openTaskRange(clock.now()), RECENTLY_DISABLED_SECONDS);
    const closed = [...this.#context.bulkTasksToCheck];
    this.#context.bulkTasksToCheck.clear();
    await settleAll([
      finishTasks(this.#context, closed),
      ...[recent, ...this.#olderDays].map((range) => this.#finish(range)),
      this.#scheduleWakeUps([recent, ...this.#olderDays]),
    ]);
  }

  /** Releases queued claims. Not awaited, because an unavailable database must not delay the sweep. */
  #releaseClaims(): void {
    void this.#context.releaseQueue.releaseAll().then((hasReleased) => {
      if (hasReleased) this.#sweepAll();
    });
  }

  #sweepAll(): void {
    for (const lane of lanes) this.#sweep(lane, workKinds);
  }

  #sweep(lane: Lane, kinds: readonly WorkKind[]): void {
    for (const kind of kinds) this.#toSweep[lane].add(kind);
    this.#wakeUp(lane);
  }

  /** Claims nothing more. Work that is already claimed is completed. */
  stop(): void {
    this.#stopped = true;
    this.#clearTimers();
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #readDays(): Promise<void> {
    if (performance.now() - this.#daysReadAt < DAYS_REFRESH_MS) return;
    const { clock, storage } = this.#context;
    const [firstRecent] = recentTaskRange(clock.now());
    this.#olderDays = await findDaysWithWork(storage.home, taskDaysBefore(clock.now(), firstRecent));
    this.#daysReadAt = performance.now();
  }

  async #finish(range: TaskRange): Promise<void> {
    const unfinished = await claimUnfinishedTasks(this.#context.storage.home, UNFINISHED_MAX, range);
    await settleAll([
      propagateCancels(this.#context, unfinished),
      finishTasks(
        this.#context,
        unfinished.map(({ taskId }) => taskId),
      ),
    ]);
  }

  /**
   * Schedules wake-ups for the work that becomes due before the next sweep. Does not wait for a silent database, whose
   * work cannot be claimed anyway.
   */
  async #scheduleWakeUps(ranges: readonly TaskRange[]): Promise<void> {
    const { storage, independentWork } = this.#context;
    const { home, shards } = storage;
    const dueTimes = new Map<string, { lane: Lane; kind: 'tasks' | 'slices'; inMs: number }>();
    const find = async (db: HomeDb | ShardDb, kind: 'tasks' | 'slices') => {
      const nextDue = await settleAvailable(ranges.map((range) => findNextDue(db, kind, range, SWEEP_MS)));
      for (const { lane, inMs } of nextDue.flat()) dueTimes.set(`${lane} ${kind} ${inMs}`, { lane, kind, inMs });
    };
    await independentWork.settle([
      { databases: [home], work: find(home, 'tasks') },
      ...shards.all.map((db) => ({ databases: [db], work: find(db, 'slices') })),
    ]);
    this.#clearTimers();
    if (this.#stopped) return;
    this.#timers = [...dueTimes.values()].map(({ lane, kind, inMs }) =>
      setTimeout(() => this.#sweep(lane, [kind]), inMs),
    );
  }
}

function takeAll<T>(set: Set<T>): ReadonlySet<T> {
  const items = new Set(set);
  set.clear();
  return items;
}
