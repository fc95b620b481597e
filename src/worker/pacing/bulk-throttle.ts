import type { Lane } from '#src/domain/task.ts';

/** So many rounds of bulk work are under way at a time: five hundred calls, which is what a vendor's connection carries. */
const ROUNDS_MAX = 8;
/** And so many while single notifications come and go, which must not stand behind five hundred others. */
const ROUNDS_BETWEEN_PROMPT = 3;
/** One round at a time may begin beside a single notification, after it has waited so long for a moment without any. */
const PATIENCE_MS = 60;
/** What takes longer waits for a vendor and is in nobody's way: it does not count any more. */
const COUNTS_MS_MAX = 500;
/** Prompt work comes in bursts; between two of them bulk does not take everything. */
const LULL_MS = 1_000;

/**
 * Lets bulk work take all there is while nothing else goes on, and the gaps while prompt work does: both share the same
 * event loop, connections and vendors, and what is queued there first is served first.
 */
export class Courtesy {
  #promptAt = Number.NEGATIVE_INFINITY;
  #prompt = 0;
  #running = 0;
  readonly #waiting: { readonly resume: () => void; readonly since: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Does work of the prompt lane, which never waits, and of which bulk work keeps out of the way. */
  async prompt<T>(work: () => Promise<T>): Promise<T> {
    this.#prompt++;
    return this.#counted(work, () => {
      this.#prompt--;
      this.#promptAt = performance.now();
    });
  }

  /** Does one round of work when it is its turn. */
  async round<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (lane === 'prompt') return work();
    await new Promise<void>((resume) => {
      this.#waiting.push({ resume, since: performance.now() });
      this.#admit();
    });
    return this.#counted(work, () => this.#running--);
  }

  async #counted<T>(work: () => Promise<T>, end: () => void): Promise<T> {
    let counts = true;
    const release = () => {
      if (!counts) return;
      counts = false;
      end();
      this.#admit();
    };
    const timer = setTimeout(release, COUNTS_MS_MAX);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #admit(): void {
    const now = performance.now();
    for (let first = this.#waiting[0]; first && this.#running < this.#limit(now); first = this.#waiting[0]) {
      const patientMs = this.#prompt > 0 ? first.since + PATIENCE_MS - now : 0;
      if (patientMs > 0) {
        this.#admitAfter(patientMs);
        return;
      }
      this.#running++;
      this.#waiting.shift();
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
    if (this.#prompt > 0) return 1;
    return now - this.#promptAt < LULL_MS ? ROUNDS_BETWEEN_PROMPT : ROUNDS_MAX;
  }
}
