/** The times of the first and the last push of a task, in epoch milliseconds. */
type TaskTimes = readonly [firstMs: number, lastMs: number];

/**
 * Counts how often each token received each task, since the start or the last `clear`. If a load test has too many
 * deliveries to list, these counts are compared with the sender's own counts.
 *
 * A task is identified by the field that does not change when a push is repeated. The number of pairs of task and token
 * is limited to bound memory. If a new pair exceeds the limit, `whole` becomes false.
 */
export class Tally {
  readonly #pairsMax: number;
  #byTask = new Map<string, Map<string, number>>();
  #times = new Map<string, TaskTimes>();
  #pairs = 0;
  #isComplete = true;

  constructor(pairsMax: number = PAIRS_MAX) {
    this.#pairsMax = pairsMax;
  }

  /** Counts a push. A push without a task is not counted. */
  add(task: string | undefined, token: string, atMs: number = Date.now()): void {
    if (task === undefined) return;
    let tokens = this.#byTask.get(task);
    const times = tokens?.get(token) ?? 0;
    if (times === 0 && this.#pairs >= this.#pairsMax) {
      this.#isComplete = false;
      return;
    }
    if (!tokens) {
      tokens = new Map();
      this.#byTask.set(task, tokens);
    }
    if (times === 0) this.#pairs += 1;
    tokens.set(token, times + 1);
    this.#times.set(task, [this.#times.get(task)?.[0] ?? atMs, atMs]);
  }

  snapshot(): { whole: boolean; tally: Record<string, Record<string, number>> } {
    const entries = [...this.#byTask].map(([task, tokens]) => [task, Object.fromEntries(tokens)] as const);
    return { whole: this.#isComplete, tally: Object.fromEntries(entries) };
  }

  /** Returns when each counted task was pushed for the first and the last time. */
  times(): Record<string, TaskTimes> {
    return Object.fromEntries(this.#times);
  }

  clear(): void {
    this.#byTask = new Map();
    this.#times = new Map();
    this.#pairs = 0;
    this.#isComplete = true;
  }
}

const PAIRS_MAX = 2_000_000; // about a hundred bytes per pair
