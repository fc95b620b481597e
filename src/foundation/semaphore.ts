/** Thrown if the queue is full, because a longer queue would only add delay. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

/** Limits the number of simultaneous calls and the number of waiting calls. */
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
    else if (this.#waiting.length >= this.#queueMax) throw new QueueFull('The queue is full.');
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
