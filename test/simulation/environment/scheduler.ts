import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from './random.ts';

/** A simulated process, which can pause and crash. Each of its steps is a separate event. */
export class Process {
  readonly name: string;
  readonly scheduler: Scheduler;
  alive = true;
  pausedUntil = 0;
  /** The number of times the process has waited for an event. */
  steps = 0;

  constructor(name: string, scheduler: Scheduler) {
    this.name = name;
    this.scheduler = scheduler;
  }

  /** Stops the process. Work that it has started stays unfinished. */
  crash(): void {
    this.alive = false;
  }

  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.scheduler.now + ms);
  }
}

interface Event {
  at: number;
  readonly order: number;
  readonly process: Process;
  readonly label: string;
  readonly run: () => void;
}

/** The start of the virtual clock. */
export const START_MS = Date.UTC(2026, 0, 2);
const TRACE_MAX = 20_000;

const currentProcessStore = new AsyncLocalStorage<Process>();

/** Returns the process whose code is running. */
export function currentProcess(): Process {
  const process = currentProcessStore.getStore();
  if (!process) throw new Error('This function can be called only inside a simulated process.');
  return process;
}

/** Runs one event at a time, in the order of a virtual clock. Product code runs between two events. */
export class Scheduler {
  now = START_MS;
  /** The number of events so far. */
  steps = 0;
  readonly random: Random;
  /** Whether some steps take much longer than the others. */
  hasSlowSteps = true;
  /** Called before every step of every process, to crash or pause the process at that point. */
  onStep: ((process: Process, label: string) => void) | undefined;
  readonly #events: Event[] = [];
  readonly #trace: string[] = [];
  #order = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(random: Random) {
    this.random = random;
  }

  createProcess(name: string): Process {
    return new Process(name, this);
  }

  /**
   * Runs a function inside a process. An error ends the simulation, because the product catches the errors that it
   * expects.
   */
  run(process: Process, work: () => unknown): void {
    currentProcessStore.run(process, () => {
      try {
        const result = work();
        if (result instanceof Promise) result.catch((error: unknown) => this.fail(error));
      } catch (error) {
        this.fail(error);
      }
    });
  }

  /** Runs a function inside a process after a delay, if the process is still alive. */
  post(process: Process, afterMs: number, label: string, work: () => unknown): void {
    this.#push(process, afterMs, label, () => this.run(process, work));
  }

  /** Lets time pass for the current process. Other processes can run, and the current process may never continue. */
  step(label: string, ms = this.#latency()): Promise<void> {
    const process = currentProcess();
    process.steps++;
    this.onStep?.(process, label);
    return new Promise((resolve) => this.#push(process, ms, label, resolve));
  }

  sleep(ms: number): Promise<void> {
    const process = currentProcess();
    return new Promise((resolve) => this.#push(process, ms, '', resolve));
  }

  /** Only the first failure is kept. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  note(text: string): void {
    this.#trace.push(`${((this.now - START_MS) / 1_000).toFixed(3).padStart(8)} s  ${text}`);
    if (this.#trace.length > TRACE_MAX * 2) this.#trace.splice(0, TRACE_MAX);
  }

  get trace(): readonly string[] {
    return this.#trace.slice(-TRACE_MAX);
  }

  /** Runs events until the condition is true. Returns false if no events are left or `untilMs` is reached. */
  async runUntil(condition: () => boolean, untilMs: number): Promise<boolean> {
    await nextTurn(); // newly started work reaches its first event
    while (!condition()) {
      const event = this.#pop();
      if (!event || event.at > untilMs) return false;
      if (!event.process.alive) continue;
      if (event.process.pausedUntil > event.at) {
        event.at = event.process.pausedUntil;
        this.#insert(event);
        continue;
      }
      this.now = event.at;
      if (event.label !== '') {
        this.steps++;
        this.note(`${event.process.name}: ${event.label}`);
      }
      event.run();
      await nextTurn();
      if (this.#failure) throw this.#failure.error;
    }
    return true;
  }

  /** Returns a few milliseconds, and sometimes up to 1.5 seconds. */
  #latency(): number {
    return this.hasSlowSteps && this.random.chance(0.03) ? this.random.between(100, 1_500) : this.random.between(1, 12);
  }

  #push(process: Process, afterMs: number, label: string, run: () => void): void {
    this.#insert({ at: this.now + Math.max(0, afterMs), order: this.#order++, process, label, run });
  }

  /** Inserts an event into a binary heap. */
  #insert(event: Event): void {
    const heap = this.#events;
    let i = heap.push(event) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[i] = heap[parent] as Event;
      i = parent;
    }
    heap[i] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#events;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[i] = heap[child] as Event;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

const realSetImmediate = setImmediate;
/** Waits until all pending promise callbacks have run. */
const nextTurn = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve));
