import type { SliceRow } from '#src/domain/claim.ts';
import * as claims from '#src/domain/claim.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { currentProcess, type Process, type Scheduler } from './scheduler.ts';

/** One slice that a commit has made or changed. */
export interface SliceChange {
  readonly before: SliceRow | undefined;
  readonly after: SliceRow;
  /** The epoch that a holder's write was decided under. */
  readonly epoch: number | undefined;
}

/** What the rest of a simulation has to do with a database. */
export interface DatabaseHooks {
  /** Each may throw: nothing was done, or all was done and nobody hears of it. */
  beforeCommit(database: SimulatedDatabase, by: Process, label: string): void;
  afterCommit(database: SimulatedDatabase, by: Process, label: string): void;
  committed(changes: readonly SliceChange[], by: Process): void;
  /** Whoever wrote it has the answer. */
  acknowledged(changes: readonly SliceChange[], by: Process): void;
  finished(taskIds: readonly bigint[]): void;
  /** A statement is not answered, and was not done. */
  unanswered(by: Process): void;
}

/** What a statement does to a slice. The product's rules, unless a test breaks one to see whether that is noticed. */
export type Rules = typeof claims & {
  /** Each statement of a transaction is a commit of its own. */
  readonly splitsTransactions?: boolean;
  /** Whoever asks for open slices is told that there are none. */
  readonly ignoresOpenSlices?: boolean;
  /** Whoever asks for open slices does not see what others have closed so shortly before: as inside a transaction. */
  readonly snapshotMs?: number;
  /** Nobody looks again for tasks whose end was missed. */
  readonly ignoresUnfinishedTasks?: boolean;
};
export const productRules: Rules = claims;

/** Rows in memory. One commit is one event; what it changed is undone if it fails. */
export class SimulatedDatabase {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly rules: Rules;
  readonly slices = new Map<string, SliceRow>();
  readonly slicesOfTask = new Map<bigint, Set<string>>();
  /** Until then nobody gets an answer. */
  unavailableUntil = 0;
  readonly hooks: DatabaseHooks;
  /** Who closed a slice, and when. */
  readonly closed = new Map<string, { readonly by: Process; readonly at: number }>();
  #undo: (() => void)[] = [];
  #changes = new Map<string, SliceChange>();

  constructor(name: string, scheduler: Scheduler, hooks: DatabaseHooks, rules: Rules) {
    this.name = name;
    this.scheduler = scheduler;
    this.rules = rules;
    this.hooks = hooks;
  }

  get now(): number {
    return this.scheduler.now;
  }

  put<K, V>(table: Map<K, V>, key: K, value: V): void {
    const before = table.get(key);
    this.#undo.push(before === undefined ? () => table.delete(key) : () => table.set(key, before));
    table.set(key, value);
  }

  remove<K, V>(table: Map<K, V>, key: K): void {
    const before = table.get(key);
    if (before === undefined) return;
    this.#undo.push(() => table.set(key, before));
    table.delete(key);
  }

  putSlice(after: SliceRow, epoch?: number): void {
    const key = sliceKeyText(after);
    const earlier = this.#changes.get(key);
    const before = earlier ? earlier.before : this.slices.get(key);
    this.#changes.set(key, { before, after, epoch: epoch ?? earlier?.epoch });
    this.put(this.slices, key, after);
    let ofTask = this.slicesOfTask.get(after.taskId);
    if (!ofTask) {
      ofTask = new Set();
      this.slicesOfTask.set(after.taskId, ofTask);
    }
    ofTask.add(key);
  }

  /** The slices of a task; a set may name one that was undone. */
  taskSlices(taskId: bigint): SliceRow[] {
    return [...(this.slicesOfTask.get(taskId) ?? [])].flatMap((key) => this.slices.get(key) ?? []);
  }

  /** Looks, and time passes before anything is made of the answer. */
  async read<T>(label: string, query: () => T): Promise<T> {
    await this.#failIfUnavailable(label);
    const result = query();
    await this.scheduler.step(`${this.name} ${label}`);
    return result;
  }

  /** Time passes before and after: it may come too late, and its caller may not live to hear of it. */
  async write<T>(label: string, work: () => T): Promise<T> {
    const by = currentProcess();
    await this.#failIfUnavailable(label);
    await this.scheduler.step(`${this.name} ${label} …`);
    this.hooks.beforeCommit(this, by, label);
    const result = work();
    const changes = this.#publishChanges(by);
    this.hooks.afterCommit(this, by, label);
    await this.scheduler.step(`${this.name} ${label}`);
    this.hooks.acknowledged(changes, by);
    return result;
  }

  /** A write that found nothing to do is no commit, and takes no time. */
  async claim<T>(label: string, work: () => readonly T[]): Promise<readonly T[]> {
    const by = currentProcess();
    if (this.unavailableUntil > this.now) throw new Unavailable(`${this.name} is away.`);
    const result = work();
    const changes = this.#publishChanges(by);
    if (result.length === 0) return result;
    this.hooks.afterCommit(this, by, label);
    await this.scheduler.step(`${this.name} ${label} (${result.length})`);
    this.hooks.acknowledged(changes, by);
    return result;
  }

  /** Several statements, one commit. They wait for nothing, so nothing can come between. */
  async transaction<T>(label: string, work: () => Promise<T>): Promise<T> {
    const by = currentProcess();
    await this.#failIfUnavailable(label);
    await this.scheduler.step(`${this.name} ${label} …`);
    this.hooks.beforeCommit(this, by, label);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      this.#begin();
      throw error;
    }
    const changes = this.#publishChanges(by);
    this.hooks.afterCommit(this, by, label);
    await this.scheduler.step(`${this.name} ${label}`);
    this.hooks.acknowledged(changes, by);
    return result;
  }

  #publishChanges(by: Process): readonly SliceChange[] {
    const changes = [...this.#changes.values()];
    this.#begin();
    for (const { after } of changes)
      if (after.state === 'closed') this.closed.set(sliceKeyText(after), { by, at: this.now });
    if (changes.length > 0) this.hooks.committed(changes, by);
    return changes;
  }

  #begin(): void {
    this.#undo = [];
    this.#changes = new Map();
  }

  async #failIfUnavailable(label: string): Promise<void> {
    if (this.unavailableUntil <= this.now) return;
    this.hooks.unanswered(currentProcess());
    await this.scheduler.step(`${this.name} ${label} unanswered`);
    throw new Unavailable(`${this.name} is away.`);
  }
}
