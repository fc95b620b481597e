import type { Lane } from '#src/domain/task.ts';

/**
 * Maximum number of bulk rounds that run at the same time. 8 rounds are about 500 calls, as many as one connection to a
 * vendor carries.
 */
const ROUNDS_MAX = 8;
/**
 * Maximum number of bulk rounds shortly after prompt work, so that single notifications do not queue behind 500 bulk
 * calls.
 */
const ROUNDS_AFTER_PROMPT_MAX = 3;
/** During prompt work, one round at a time may start after it has waited this long for a gap. */
const BULK_WAIT_MS = 60;
/**
 * Work that takes longer is waiting for a vendor and does not delay other work, so it no longer counts toward the
 * limit.
 */
const COUNTED_MS_MAX = 500;
/** For this long after prompt work, bulk work does not use the full capacity, because prompt work comes in bursts. */
const PROMPT_IDLE_MS = 1_000;

/**
 * Lets bulk work use the full capacity while there is no prompt work, and only the gaps between prompt work otherwise.
 * Both lanes share the event loop, the connections and the vendors, which serve work in the order in which it is
 * queued.
 */
export class BulkThrottle {
  #lastPromptAt = Number.NEGATIVE_INFINITY;
  #promptRunning = 0;
  #bulkRunning = 0;
  readonly #queue: { readonly resume: () => void; readonly queuedAt: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Runs work of the prompt lane, which never waits. Bulk work is held back while prompt work runs. */
  async runPrompt<T>(work: () => Promise<T>): Promise<T> {
    this.#promptRunning++;
    return this.#runCounted(work, () => {
      this.#promptRunning--;
      this.#lastPromptAt = performance.now();
    });
  }

  /** Whether prompt work is running or ran a moment ago. A long round should then end early. */
  get isHeldBack(): boolean {
    return this.#limit(performance.now()) < ROUNDS_MAX;
  }

  /** Runs one round of work. A bulk round first waits for its turn. */
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
