import { freshTaskRange, type Lane, lanes, openTaskRange, recentTaskRange, taskDaysBefore } from '#src/domain/task.ts';
import { findDaysWithWork, findNextDue } from '#src/storage/ledger/due-work.ts';
import { claimUnfinishedTasks, readClock, type TaskRange } from '#src/storage/ledger/tasks.ts';
import type { WorkerContext } from '../context.ts';
import { settleAll } from '../pacing/group-by-database.ts';
import { cancelShutApps, SHUT_LATELY_SECONDS, spreadCancels } from '../send/cancel.ts';
import { finishTasks } from '../send/finish.ts';
import { lookForWork } from './claim-work.ts';
import type { Taken } from './slots.ts';

const UNFINISHED_MAX = 200;
/** Days of which something is open change slowly: a new task is always of today. */
const DAYS_MS = 60_000;
export const SWEEP_MS = 1_000;

/**
 * Looks for everything that a doorbell did not tell, or told nobody: what falls due, what a worker left when it died, tasks
 * whose end nobody noticed.
 */
export class Sweep {
  readonly #context: WorkerContext;
  readonly #ring: (lane: Lane) => void;
  /** Lanes in which older days are looked at with the next question. */
  readonly #due = new Set<Lane>();
  #olderDays: readonly TaskRange[] = [];
  #daysReadAt = Number.NEGATIVE_INFINITY;
  #timers: NodeJS.Timeout[] = [];

  constructor(context: WorkerContext, ring: (lane: Lane) => void) {
    this.#context = context;
    this.#ring = ring;
  }

  /** Looks for work of a lane: for everything of all days if a sweep is due, else for what came with a doorbell. */
  async look(lane: Lane, taken: Taken): Promise<boolean> {
    const swept = this.#due.delete(lane);
    const now = this.#context.clock.now();
    const recent = lane === 'prompt' && !swept ? freshTaskRange(now) : recentTaskRange(now);
    let more = false;
    for (const taskRange of swept ? [recent, ...this.#olderDays] : [recent])
      if (await lookForWork(this.#context, { lane, taskRange, swept, taken })) more = true;
    if (swept && more) this.#due.add(lane);
    return more;
  }

  async run(): Promise<void> {
    const { clock, truth } = this.#context;
    // First of all: while the home database is away, shards are looked into all the same.
    this.#sweepAll();
    this.#letGo();
    clock.observe(await readClock(truth.home));
    await this.#readDays();
    const recent = recentTaskRange(clock.now());
    await cancelShutApps(this.#context, openTaskRange(clock.now()), SHUT_LATELY_SECONDS);
    const closed = [...this.#context.closedBulk];
    this.#context.closedBulk.clear();
    await settleAll([
      finishTasks(this.#context, closed),
      ...[recent, ...this.#olderDays].map((range) => this.#finish(range)),
      this.#ringInTime([recent, ...this.#olderDays]),
    ]);
  }

  /** Beside everything else: a database that is away must not hold up what the others take back. */
  #letGo(): void {
    void this.#context.letGo.run().then((something) => {
      if (something) this.#sweepAll();
    });
  }

  #sweepAll(): void {
    for (const lane of lanes) {
      this.#due.add(lane);
      this.#ring(lane);
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #readDays(): Promise<void> {
    if (performance.now() - this.#daysReadAt < DAYS_MS) return;
    const { clock, truth } = this.#context;
    const [firstRecent] = recentTaskRange(clock.now());
    this.#olderDays = await findDaysWithWork(truth.home, taskDaysBefore(clock.now(), firstRecent));
    this.#daysReadAt = performance.now();
  }

  async #finish(range: TaskRange): Promise<void> {
    const unfinished = await claimUnfinishedTasks(this.#context.truth.home, UNFINISHED_MAX, range);
    await spreadCancels(this.#context, unfinished);
    await finishTasks(
      this.#context,
      unfinished.map(({ taskId }) => taskId),
    );
  }

  /** What falls due before the next sweep is asked for at its instant. */
  async #ringInTime(ranges: readonly TaskRange[]): Promise<void> {
    const { home, shards } = this.#context.truth;
    const found = await Promise.all(
      ranges.flatMap((range) => [
        findNextDue(home, 'tasks', range, SWEEP_MS),
        ...shards.all.map((db) => findNextDue(db, 'slices', range, SWEEP_MS)),
      ]),
    );
    const instants = new Map(found.flat().map((next) => [`${next.lane} ${next.inMs}`, next]));
    this.stop();
    this.#timers = [...instants.values()].map(({ lane, inMs }) =>
      setTimeout(() => {
        this.#due.add(lane);
        this.#ring(lane);
      }, inMs),
    );
  }
}
