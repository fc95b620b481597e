import { Problem } from '#src/domain/problem.ts';
import { dayOfTask, openTaskRange } from '#src/domain/task.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import { repeat } from '#src/foundation/repeat.ts';
import { TokenBucket } from '#src/foundation/token-bucket.ts';
import {
  type AppLimits,
  addUsage,
  type CeilingDefaults,
  ceilingColumns,
  isReached,
  readAppLimits,
  type UsageChange,
} from '#src/storage/accounts/ceilings.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { recountOpenTasks } from '#src/storage/upkeep/usage-counts.ts';

/** Interval at which this process records what it has created, and reads what other processes have recorded. */
const EXCHANGE_MS_MAX = 4_000;
/** Limits of an app are read again before their next use if they are older. */
const LIMITS_MS_MAX = 60_000;
/** Time between two counts of the open tasks of an app: a second, or longer after a count that took long. */
const RECOUNT_MS_MIN = 1_000;
const RECOUNT_PAUSE_FACTOR = 20;

/** The ceilings that the API enforces with a count. */
type CheckedCeiling = 'openTasks' | 'users' | 'devices' | 'storedBytes';

/**
 * The calls that are limited per second. Validations are counted separately, because callers who may only read also make
 * them, and must not use up the calls of the app's backend.
 */
export type LimitedCall = 'notify' | 'validate';

interface AppState {
  limits: AppLimits;
  readAtMs: number;
  usedSinceRead: boolean;
  /** Objects that this process has created and that `limits` does not include yet. */
  readonly added: Record<CheckedCeiling, number>;
  readonly calls: Partial<Record<LimitedCall, { readonly perSecond: number; readonly bucket: TokenBucket }>>;
  recount: Promise<void> | undefined;
  recountFromMs: number;
}

interface CeilingOptions {
  readonly db: HomeDb;
  readonly defaults: CeilingDefaults;
  readonly clock: DatabaseClock;
  readonly log: Log;
}

/**
 * Enforces the ceilings of apps without a statement per request. Requests are compared with counts in memory, which
 * are exchanged with other processes every few seconds. An app can therefore exceed a ceiling by what other processes
 * accept in this time. The rate of calls is counted only in this process.
 */
export class AppCeilings {
  readonly #options: CeilingOptions;
  readonly #apps = new Map<string, AppState>();
  readonly #loading = new Map<string, Promise<AppState>>();
  /** Changes that are not recorded yet, by app and day. */
  #unrecorded = new Map<string, Writable<UsageChange>>();
  readonly #exchanges: { stop(): Promise<void> };

  constructor(options: CeilingOptions) {
    this.#options = options;
    const { defaults, log } = options;
    this.#exchanges = repeat({
      pauseMs: Math.min(EXCHANGE_MS_MAX, defaults.countSeconds * 1_000),
      work: () => this.#exchange(),
      onError: (error) => log.warn('usage-exchange-failed', { error }),
    });
  }

  /** Counts a call of the operations that `notify_per_second` limits. Throws if there are too many in this second. */
  async takeCall(appId: string, call: LimitedCall): Promise<void> {
    const state = await this.#stateOf(appId);
    const perSecond = state.limits.ceilings.notifyPerSecond;
    if (perSecond === 0) return;
    const now = performance.now();
    let calls = state.calls[call];
    if (calls?.perSecond !== perSecond) calls = { perSecond, bucket: new TokenBucket(perSecond, now) };
    state.calls[call] = calls;
    if (calls.bucket.take(now)) return;
    throw new Problem(
      'too-many-requests',
      `The ceiling ${ceilingColumns.notifyPerSecond} is ${perSecond}. Ask the operator of this installation to raise it.`,
      { retryAfterSeconds: 1 },
    );
  }

  /** Returns the ceiling of calls per second, or infinity. */
  async callsPerSecond(appId: string): Promise<number> {
    return (await this.#stateOf(appId)).limits.ceilings.notifyPerSecond || Number.POSITIVE_INFINITY;
  }

  /** Throws if the app has reached the ceiling. */
  async requireRoom(appId: string, name: CheckedCeiling): Promise<void> {
    if (await this.hasRoom(appId, name)) return;
    const { limits } = await this.#stateOf(appId);
    throw new Problem('ceiling-reached', `The ceiling ${ceilingColumns[name]} is ${limits.ceilings[name]}.`, {
      retryAfterSeconds: this.#options.defaults.countSeconds,
    });
  }

  async hasRoom(appId: string, name: CheckedCeiling): Promise<boolean> {
    const state = await this.#stateOf(appId);
    const isFull = () => isReached(state.limits.ceilings[name], state.limits.usage[name] + state.added[name]);
    if (!isFull()) return true;
    // Tasks end all the time, so the number of tasks since the last count says little about the open ones.
    if (name === 'openTasks') await this.#recountOpenTasks(state);
    return !isFull();
  }

  /** Counts an object that was just created. */
  add(appId: string, name: 'users' | 'devices'): void {
    this.#changeOf(appId, 0)[name]++;
    const state = this.#apps.get(appId);
    if (state) state.added[name]++;
  }

  addTask(appId: string, taskId: bigint, bytes: number): void {
    const change = this.#changeOf(appId, dayOfTask(taskId));
    change.openTasks++;
    change.bytes += bytes;
    const state = this.#apps.get(appId);
    if (!state) return;
    state.added.openTasks++;
    state.added.storedBytes += bytes;
  }

  /** Reads the ceilings and the usage of an app from the database. */
  async read(appId: string): Promise<AppLimits> {
    const limits = (await this.readAll([appId])).get(appId);
    if (!limits) throw new Problem('unknown-app');
    return limits;
  }

  async readAll(appIds: readonly string[]): Promise<Map<string, AppLimits>> {
    const { db, defaults } = this.#options;
    return new Map((await readAppLimits(db, defaults, appIds)).map((limits) => [limits.appId, limits]));
  }

  /** Reads the limits of an app again before their next use, because they were changed. */
  forget(appId: string): void {
    const state = this.#apps.get(appId);
    if (state) state.readAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Records what this process has created. */
  async stop(): Promise<void> {
    await this.#exchanges.stop();
    await this.#record().catch((error: unknown) => this.#options.log.warn('usage-exchange-failed', { error }));
  }

  async #stateOf(appId: string): Promise<AppState> {
    const known = this.#apps.get(appId);
    const isCurrent = known !== undefined && performance.now() - known.readAtMs < LIMITS_MS_MAX;
    const state = isCurrent ? known : await this.#load(appId);
    state.usedSinceRead = true;
    return state;
  }

  #load(appId: string): Promise<AppState> {
    const running = this.#loading.get(appId);
    if (running) return running;
    const loading = this.read(appId)
      .then((limits) => {
        const state = this.#apps.get(appId) ?? newState(limits);
        state.limits = limits;
        state.readAtMs = performance.now();
        this.#apps.set(appId, state);
        return state;
      })
      .finally(() => this.#loading.delete(appId));
    this.#loading.set(appId, loading);
    return loading;
  }

  #changeOf(appId: string, day: number): Writable<UsageChange> {
    const key = `${appId} ${day}`;
    let change = this.#unrecorded.get(key);
    if (!change) {
      change = { appId, day, openTasks: 0, users: 0, devices: 0, inboxRows: 0, bytes: 0 };
      this.#unrecorded.set(key, change);
    }
    return change;
  }

  /** Counts the open tasks of an app, unless they were counted a moment ago. */
  async #recountOpenTasks(state: AppState): Promise<void> {
    if (performance.now() >= state.recountFromMs)
      state.recount ??= this.#recountNow(state).finally(() => {
        state.recount = undefined;
      });
    await state.recount;
  }

  async #recountNow(state: AppState): Promise<void> {
    const { appId, ceilings } = state.limits;
    const { db, clock } = this.#options;
    const began = performance.now();
    const included = state.added.openTasks;
    const openTasks = await recountOpenTasks(db, appId, ceilings.openTasks, openTaskRange(clock.now()));
    const pauseMs = Math.max(RECOUNT_MS_MIN, RECOUNT_PAUSE_FACTOR * (performance.now() - began));
    state.recountFromMs = performance.now() + pauseMs;
    state.limits = { ...state.limits, usage: { ...state.limits.usage, openTasks } };
    state.added.openTasks -= included;
    for (const change of this.#unrecorded.values()) if (change.appId === appId) change.openTasks = 0;
  }

  /** Records what this process has created, and reads the limits of the apps that it has served since the last read. */
  async #exchange(): Promise<void> {
    for (const [appId, state] of this.#apps)
      if (!state.usedSinceRead && performance.now() - state.readAtMs > LIMITS_MS_MAX) this.#apps.delete(appId);
    const used = [...this.#apps].filter(([, state]) => state.usedSinceRead);
    const recorded = used.map(([, state]) => ({ ...state.added }));
    await this.#record();
    if (used.length === 0) return;
    const limits = await this.readAll(used.map(([appId]) => appId));
    used.forEach(([appId, state], i) => {
      state.limits = limits.get(appId) ?? state.limits;
      state.readAtMs = performance.now();
      state.usedSinceRead = false;
      for (const [name, count] of Object.entries(recorded[i] ?? {}) as [CheckedCeiling, number][])
        state.added[name] = Math.max(state.added[name] - count, 0);
    });
  }

  async #record(): Promise<void> {
    const changes = this.#unrecorded;
    if (changes.size === 0) return;
    this.#unrecorded = new Map();
    try {
      await addUsage(this.#options.db, [...changes.values()]);
    } catch (error) {
      for (const { appId, day, ...counts } of changes.values()) {
        const change = this.#changeOf(appId, day);
        for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) change[name] += count;
      }
      throw error;
    }
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const newState = (limits: AppLimits): AppState => ({
  limits,
  readAtMs: 0,
  usedSinceRead: false,
  added: { openTasks: 0, users: 0, devices: 0, storedBytes: 0 },
  calls: {},
  recount: undefined,
  recountFromMs: 0,
});
