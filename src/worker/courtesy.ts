import type { Lane } from '#src/domain/task.ts';

/** So many rounds of bulk work are under way at a time: a thousand calls, which is what a vendor's connection carries. */
const ROUNDS_MAX = 16;
/** And so many while somebody waits for a single notification, which must not stand behind a thousand others. */
const ROUNDS_BESIDE_PROMPT = 2;
/** A round that takes longer waits for a vendor and is in nobody's way: it does not count any more. */
const ROUND_MS_MAX = 500;
/** Prompt work comes in bursts; between two of them bulk does not take everything. */
const LULL_MS = 1_000;

/**
 * Lets bulk work take all there is while nothing else goes on, and little while prompt work does: both share the same
 * event loop, connections and vendors, and what is queued there first is served first.
 */
export class Courtesy {
  #promptAt = Number.NEGATIVE_INFINITY;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Prompt work is under way. */
  notePrompt(): void {
    this.#promptAt = performance.now();
  }

  /** Does one round of work when it is its turn. Prompt work never waits. */
  async round<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (lane === 'prompt') return work();
    if (this.#running >= this.#limit()) await new Promise<void>((resume) => this.#waiting.push(resume));
    else this.#running++;
    let counts = true;
    const release = () => {
      if (counts) this.#release();
      counts = false;
    };
    const timer = setTimeout(release, ROUND_MS_MAX);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #release(): void {
    this.#running--;
    while (this.#waiting.length > 0 && this.#running < this.#limit()) {
      this.#running++;
      this.#waiting.shift()?.();
    }
  }

  #limit(): number {
    return performance.now() - this.#promptAt < LULL_MS ? ROUNDS_BESIDE_PROMPT : ROUNDS_MAX;
  }
}
