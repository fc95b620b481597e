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
import { settleAll } from '#src/foundation/settle-all.ts';
import { findDaysWithWork, findNextDue } from '#src/storage/ledger/due-work.ts';
import { claimUnfinishedTasks, readClock } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { cancelDisabledApps, propagateCancels, RECENTLY_DISABLED_SECONDS } from '../send/cancel.ts';
import { finishTasks } from '../send/finish.ts';
import { claimDueTasks, claimWork } from './claim-work.ts';
import type { OnClaimed } from './slots.ts';

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
  /** The kinds of work that signals have announced, or whose last claim was full. */
  readonly #announced: Readonly<Record<Lane, Set<WorkKind>>> = { prompt: new Set(), bulk: new Set() };
  /** Lanes whose next claim is a sweep that includes older days. */
  readonly #lanesToSweep = new Set<Lane>();
  #olderDays: readonly TaskRange[] = [];
  #daysReadAt = Number.NEGATIVE_INFINITY;
  #timers: NodeJS.Timeout[] = [];

  constructor(context: WorkerContext, wakeUp: (lane: Lane) => void) {
    this.#context = context;
    this.#wakeUp = wakeUp;
  }

  /**
   * Claims work of a lane: all due work of all days if a sweep is due, otherwise only the work that a wake-up signal
   * announces.
   */
  async claim(lane: Lane, onClaimed: OnClaimed): Promise<boolean> {
    const isSweep = this.#lanesToSweep.delete(lane);
    const now = this.#context.clock.now();
    // New prompt work is always a task, and the worker that claims the task expands and sends it. The sweep finds all
    // other work when it is due.
    if (lane === 'prompt' && !isSweep) return claimDueTasks(this.#context, lane, freshTaskRange(now), onClaimed);
    onClaimed();
    const kinds = new Set(isSweep ? workKinds : this.#announced[lane]);
    this.#announced[lane].clear();
    const recent = recentTaskRange(now);
    let hasMore = false;
    for (const taskRange of isSweep ? [recent, ...this.#olderDays] : [recent])
      for (const kind of await claimWork(this.#context, lane, taskRange, kinds)) {
        this.#announced[lane].add(kind);
        hasMore = true;
      }
    if (isSweep && hasMore) this.#lanesToSweep.add(lane);
    return hasMore;
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
    clock.observe(await readClock(storage.home));
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
    for (const lane of lanes) {
      this.#lanesToSweep.add(lane);
      this.#wakeUp(lane);
    }
  }

  stop(): void {
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
    await propagateCancels(this.#context, unfinished);
    await finishTasks(
      this.#context,
      unfinished.map(({ taskId }) => taskId),
    );
  }

  /** Schedules wake-ups for the work that becomes due before the next sweep. */
  async #scheduleWakeUps(ranges: readonly TaskRange[]): Promise<void> {
    const { home, shards } = this.#context.storage;
    const nextDue = await Promise.all(
      ranges.flatMap((range) => [
        findNextDue(home, 'tasks', range, SWEEP_MS),
        ...shards.all.map((db) => findNextDue(db, 'slices', range, SWEEP_MS)),
      ]),
    );
    const dueTimes = new Map(nextDue.flat().map((next) => [`${next.lane} ${next.inMs}`, next]));
    this.stop();
    this.#timers = [...dueTimes.values()].map(({ lane, inMs }) =>
      setTimeout(() => {
        this.#lanesToSweep.add(lane);
        this.#wakeUp(lane);
      }, inMs),
    );
  }
}
