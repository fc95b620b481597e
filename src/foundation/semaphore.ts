/** Thrown if the queue is full, because a longer queue would only add delay. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

interface SemaphoreOptions {
  readonly slots: number;
  /** Maximum number of waiting calls. */
  readonly queueMax: number;
  /** Maximum number of waiting calls of one group. */
  readonly groupQueueMax?: number;
}

/**
 * Limits the number of simultaneous calls and the number of waiting calls. The groups of waiting calls take turns, so
 * that a group with many calls does not delay the others.
 */
export class Semaphore {
  #free: number;
  readonly #queueMax: number;
  readonly #groupQueueMax: number;
  #waitingCount = 0;
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor({ slots, queueMax, groupQueueMax = queueMax }: SemaphoreOptions) {
    this.#free = slots;
    this.#queueMax = queueMax;
    this.#groupQueueMax = groupQueueMax;
  }

  async run<T>(work: () => Promise<T>, group = ''): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(group);
    try {
      return await work();
    } finally {
      const resume = this.#takeNext();
      if (resume) resume();
      else this.#free++;
    }
  }

  #wait(group: string): Promise<void> {
    const queue = this.#waiting.get(group) ?? [];
    if (this.#waitingCount >= this.#queueMax || queue.length >= this.#groupQueueMax)
      throw new QueueFull('The queue is full.');
    this.#waiting.set(group, queue);
    this.#waitingCount++;
    return new Promise((resume) => queue.push(resume));
  }

  #takeNext(): (() => void) | undefined {
    const [next] = this.#waiting;
    if (!next) return undefined;
    const [group, queue] = next;
    this.#waiting.delete(group);
    const resume = queue.shift();
    if (queue.length > 0) this.#waiting.set(group, queue); // after the other groups
    this.#waitingCount--;
    return resume;
  }
}
