import { QueueFull } from './semaphore.ts';

interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** Thrown if one group has too many waiting items. Items of other groups are still accepted. */
export class GroupQueueFull extends QueueFull {
  override name = 'GroupQueueFull';
}

/**
 * Collects items while a run is in progress and passes them to the next run together. There is no timer, so a single
 * item is not delayed, and batches grow automatically under load. If items have groups, each run takes the same number
 * of items from each group, so that a group with many items does not delay the others.
 */
export class Batch<In, Out> {
  readonly #run: (items: readonly In[]) => Promise<readonly Out[]>;
  readonly #sizeMax: number;
  readonly #queueMax: number;
  readonly #groupQueueMax: number;
  readonly #groupOf: (item: In) => string;
  readonly #pending = new Map<string, PendingItem<In, Out>[]>();
  #pendingCount = 0;
  #running: Promise<void> | undefined;

  /** `run` returns one result per item, in order. If it fails, all of its items fail. */
  constructor(options: {
    run: (items: readonly In[]) => Promise<readonly Out[]>;
    sizeMax: number;
    queueMax: number;
    groupOf?: (item: In) => string;
    groupQueueMax?: number;
  }) {
    this.#run = options.run;
    this.#sizeMax = options.sizeMax;
    this.#queueMax = options.queueMax;
    this.#groupQueueMax = options.groupQueueMax ?? options.queueMax;
    this.#groupOf = options.groupOf ?? (() => '');
  }

  add(item: In): Promise<Out> {
    if (this.#pendingCount >= this.#queueMax) return Promise.reject(new QueueFull('The queue is full.'));
    const group = this.#groupOf(item);
    const queue = this.#pending.get(group) ?? [];
    if (queue.length >= this.#groupQueueMax) return Promise.reject(new GroupQueueFull('The queue is full.'));
    this.#pending.set(group, queue);
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      this.#pendingCount++;
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
    while (this.#pendingCount > 0) {
      const batch = this.#takeBatch();
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

  #takeBatch(): PendingItem<In, Out>[] {
    const batch: PendingItem<In, Out>[] = [];
    while (batch.length < this.#sizeMax && this.#pending.size > 0) {
      const share = Math.max(1, Math.floor((this.#sizeMax - batch.length) / this.#pending.size));
      for (const [group, queue] of [...this.#pending]) {
        const items = queue.splice(0, Math.min(share, this.#sizeMax - batch.length));
        if (items.length === 0) break; // the batch is full, and the next one starts with this group
        batch.push(...items);
        this.#pending.delete(group);
        if (queue.length > 0) this.#pending.set(group, queue);
      }
    }
    this.#pendingCount -= batch.length;
    return batch;
  }
}
