import type { SliceRow } from '#src/domain/claim.ts';
import * as claims from '#src/domain/claim.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type { EffectName } from '../system/faults.ts';
import { currentProcess, type Process, type Scheduler } from './scheduler.ts';

/** A slice that a commit has inserted or changed. */
export interface SliceChange {
  readonly before: SliceRow | undefined;
  readonly after: SliceRow;
  /** The epoch of the claim under which the lease holder wrote the slice. */
  readonly epoch: number | undefined;
}

/** Callbacks from a simulated database to the rest of the simulation. */
export interface DatabaseHooks {
  /**
   * If `beforeCommit` throws, nothing is written. If `afterCommit` throws, everything is written, but the caller gets
   * no response.
   */
  beforeCommit(database: SimulatedDatabase, by: Process, label: string): void;
  afterCommit(database: SimulatedDatabase, by: Process, label: string): void;
  committed(changes: readonly SliceChange[], by: Process): void;
  /** Called when the writer has received the response. */
  acknowledged(changes: readonly SliceChange[], by: Process): void;
  finished(taskIds: readonly bigint[]): void;
  /** Called when a cancellation has marked every open row of a task in a database. */
  cancelled(db: ShardDb, taskId: bigint): void;
  /** Called for an effect that must occur in some of the simulations. */
  observed(effect: EffectName): void;
  /** Called when a statement got no response and was not executed. */
  unanswered(by: Process): void;
}

/**
 * The effects of statements on a slice. These are the product's rules, unless a test breaks a rule to check that the
 * oracle detects the violation.
 */
export type Rules = typeof claims & {
  /** Each statement of a transaction is a separate commit. */
  readonly splitsTransactions?: boolean;
  /** A query for open slices returns no rows. */
  readonly ignoresOpenSlices?: boolean;
  /** A query for open expansions returns no rows. */
  readonly ignoresOpenExpansions?: boolean;
  /** A worker inserts its ranges of a task although another worker has inserted the first range. */
  readonly plansWithoutFirstRange?: boolean;
  /** A split does not insert the rest of the range. */
  readonly splitsWithoutRest?: boolean;
  /** A split does not change the end of the first range. */
  readonly splitsWithoutEnd?: boolean;
  /** A cancellation does not look for rows that were inserted while it marked the others. */
  readonly marksCancelOnce?: boolean;
  /**
   * A query for open slices still returns slices that other processes closed within this time, as if it ran on an older
   * snapshot.
   */
  readonly snapshotMs?: number;
  /** Tasks that were not marked as finished are not checked again. */
  readonly ignoresUnfinishedTasks?: boolean;
};
export const productRules: Rules = claims;

/** Stores rows in memory. One commit is one event, and a failed transaction is rolled back. */
export class SimulatedDatabase {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly rules: Rules;
  readonly slices = new Map<string, SliceRow>();
  readonly slicesOfTask = new Map<bigint, Set<string>>();
  /** No statement gets a response before this time. */
  unavailableUntil = 0;
  readonly hooks: DatabaseHooks;
  /** For each closed slice, the process that closed it and the time. */
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

  /** Returns the slices of a task. The index may contain keys of slices whose insertion was rolled back. */
  taskSlices(taskId: bigint): SliceRow[] {
    return [...(this.slicesOfTask.get(taskId) ?? [])].flatMap((key) => this.slices.get(key) ?? []);
  }

  /** Runs a query. Time passes before the caller gets the result. */
  async read<T>(label: string, query: () => T): Promise<T> {
    await this.#failIfUnavailable(label);
    const result = query();
    await this.scheduler.step(`${this.name} ${label}`);
    return result;
  }

  /**
   * Runs a write. Time passes before and after it, so the write can be late, and its caller can crash before the
   * response.
   */
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

  /** Runs a claim. No time passes before its commit. If it finds no work, no time passes at all. */
  async claim<T>(label: string, work: () => readonly T[]): Promise<readonly T[]> {
    const by = currentProcess();
    if (this.unavailableUntil > this.now) throw new Unavailable(`${this.name} is unavailable.`);
    const result = work();
    const changes = this.#publishChanges(by);
    if (result.length === 0) return result;
    this.hooks.afterCommit(this, by, label);
    await this.scheduler.step(`${this.name} ${label} (${result.length})`);
    this.hooks.acknowledged(changes, by);
    return result;
  }

  /** Runs several statements as one commit. The statements do not wait, so no event can occur between them. */
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
    throw new Unavailable(`${this.name} is unavailable.`);
  }
}
