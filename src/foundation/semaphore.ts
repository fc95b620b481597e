/** Raised when so many already wait that waiting longer would help nobody. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

/** Lets a bounded number of works run at once, and a bounded number wait. */
export class Semaphore {
  #free: number;
  readonly #queueMax: number;
  readonly #waiting: (() => void)[] = [];

  constructor(options: { slots: number; queueMax: number }) {
    this.#free = options.slots;
    this.#queueMax = options.queueMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length >= this.#queueMax) throw new QueueFull('Too many are waiting.');
    else await new Promise<void>((resume) => this.#waiting.push(resume));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
