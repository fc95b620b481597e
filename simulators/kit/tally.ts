/**
 * How often each token was sent each task, however long ago: what a sender claims to have sent is held against it after a
 * load that is too large to list. A task is known by the field that stays the same when a push is repeated. An endless
 * load must not fill the memory, so at the bound it says that it is not whole any more.
 */
export class Tally {
  readonly #pairsMax: number;
  #byTask = new Map<string, Map<string, number>>();
  #pairs = 0;
  #isComplete = true;

  constructor(pairsMax: number = PAIRS_MAX) {
    this.#pairsMax = pairsMax;
  }

  /** A push that names no task is not tallied. */
  add(task: string | undefined, token: string): void {
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
  }

  snapshot(): { whole: boolean; tally: Record<string, Record<string, number>> } {
    const entries = [...this.#byTask].map(([task, tokens]) => [task, Object.fromEntries(tokens)] as const);
    return { whole: this.#isComplete, tally: Object.fromEntries(entries) };
  }

  clear(): void {
    this.#byTask = new Map();
    this.#pairs = 0;
    this.#isComplete = true;
  }
}

const PAIRS_MAX = 2_000_000; // about a hundred bytes each
