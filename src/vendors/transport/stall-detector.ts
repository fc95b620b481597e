/** So many requests without an answer, and nothing heard for so long: whoever comes now would only wait as well. */
const UNANSWERED_MAX = 20;
const SILENCE_MS = 2_000;

interface Line {
  unanswered: number;
  /** Since when something was asked and nothing heard. */
  since: number;
  /** Too many were unanswered. It stays so until something is heard, or nothing is asked any more. */
  full: boolean;
}

/** Notices vendors that take requests and answer none, long before the deadlines of these requests are over. */
export class Silence {
  readonly #lines = new Map<string, Line>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  isSilent(key: string): boolean {
    const line = this.#lines.get(key);
    return line?.full === true && this.#now() - line.since >= SILENCE_MS;
  }

  /** `answered` is asked when it has ended: whether anything was heard. */
  async during<T>(key: string, requests: number, work: Promise<T>, answered: (result: T) => boolean): Promise<T> {
    let line = this.#lines.get(key);
    if (!line) {
      line = { unanswered: 0, since: this.#now(), full: false };
      this.#lines.set(key, line);
    }
    line.unanswered += requests;
    line.full ||= line.unanswered >= UNANSWERED_MAX;
    let heard = false;
    try {
      const result = await work;
      heard = answered(result);
      return result;
    } finally {
      line.unanswered -= requests;
      if (heard) {
        line.since = this.#now();
        line.full = line.unanswered >= UNANSWERED_MAX;
      }
      if (line.unanswered === 0) this.#lines.delete(key);
    }
  }
}
