import { QueueFull } from './semaphore.ts';

interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects items while a run is in progress and passes them to the next run together. There is no timer, so a single
 * item is not delayed, and batches grow automatically under load.
 */
export class Batch<In, Out> {
  readonly #run: (items: readonly In[]) => Promise<readonly Out[]>;
  readonly #sizeMax: number;
  readonly #queueMax: number;
  #pending: PendingItem<In, Out>[] = [];
  #running: Promise<void> | undefined;

  /** `run` returns one result per item, in order. If it fails, all of its items fail. */
  constructor(options: {
    run: (items: readonly In[]) => Promise<readonly Out[]>;
    sizeMax: number;
    queueMax: number;
  }) {
    this.#run = options.run;
    this.#sizeMax = options.sizeMax;
    this.#queueMax = options.queueMax;
  }

  add(item: In): Promise<Out> {
    if (this.#pending.length >= this.#queueMax) return Promise.reject(new QueueFull('The queue is full.'));
    return new Promise((resolve, reject) => {
      this.#pending.push({ item, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when no item is queued or running. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // Waits one turn of the event loop, so that items added together share the first run.
    await new Promise((resume) => setImmediate(resume));
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, this.#sizeMax);
      try {
        const results = await this.#run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, i) => {
          resolve(results[i] as Out);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }
}
