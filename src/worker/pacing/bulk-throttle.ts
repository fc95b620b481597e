import type { Lane } from '#src/domain/task.ts';

/** So many rounds of bulk work are under way at a time: five hundred calls, which is what a vendor's connection carries. */
const ROUNDS_MAX = 8;
/** And so many while single notifications come and go, which must not stand behind five hundred others. */
const ROUNDS_AFTER_PROMPT_MAX = 3;
/** One round at a time may begin beside a single notification, after it has waited so long for a moment without any. */
const BULK_WAIT_MS = 60;
/** What takes longer waits for a vendor and is in nobody's way: it does not count any more. */
const COUNTED_MS_MAX = 500;
/** Prompt work comes in bursts; between two of them bulk does not take everything. */
const PROMPT_IDLE_MS = 1_000;

/**
 * Lets bulk work take all there is while nothing else goes on, and the gaps while prompt work does: both share the same
 * event loop, connections and vendors, and what is queued there first is served first.
 */
export class BulkThrottle {
  #lastPromptAt = Number.NEGATIVE_INFINITY;
  #promptRunning = 0;
  #bulkRunning = 0;
  readonly #queue: { readonly resume: () => void; readonly queuedAt: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Does work of the prompt lane, which never waits, and of which bulk work keeps out of the way. */
  async runPrompt<T>(work: () => Promise<T>): Promise<T> {
    this.#promptRunning++;
    return this.#runCounted(work, () => {
      this.#promptRunning--;
      this.#lastPromptAt = performance.now();
    });
  }

  /** Does one round of work when it is its turn. */
  async runRound<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (lane === 'prompt') return work();
    await new Promise<void>((resume) => {
      this.#queue.push({ resume, queuedAt: performance.now() });
      this.#admit();
    });
    return this.#runCounted(work, () => this.#bulkRunning--);
  }

  async #runCounted<T>(work: () => Promise<T>, onEnd: () => void): Promise<T> {
    let isCounted = true;
    const release = () => {
      if (!isCounted) return;
      isCounted = false;
      onEnd();
      this.#admit();
    };
    const timer = setTimeout(release, COUNTED_MS_MAX);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #admit(): void {
    const now = performance.now();
    for (let first = this.#queue[0]; first && this.#bulkRunning < this.#limit(now); first = this.#queue[0]) {
      const waitMs = this.#promptRunning > 0 ? first.queuedAt + BULK_WAIT_MS - now : 0;
      if (waitMs > 0) {
        this.#admitAfter(waitMs);
        return;
      }
      this.#bulkRunning++;
      this.#queue.shift();
      first.resume();
    }
  }

  #admitAfter(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#admit();
    }, ms);
  }

  #limit(now: number): number {
    if (this.#promptRunning > 0) return 1;
    return now - this.#lastPromptAt < PROMPT_IDLE_MS ? ROUNDS_AFTER_PROMPT_MAX : ROUNDS_MAX;
  }
}
