import type { Lane } from '#src/domain/task.ts';

/** Whoever waits for a vendor longer than this lends its slot to others: what is due behind it waits no longer. */
const PATIENCE_MS = 20;
/**
 * So many at a time: a vendor that never answers holds each for a deadline, and by then its gate is closed. Bulk work lends
 * none: its rounds take turns, and with more of them in line what came of one would be written after its lease is over.
 */
const LENT_MAX: Readonly<Record<Lane, number>> = { prompt: 256, bulk: 0 };

/**
 * Counts the work that only waits for a vendor. It needs no processor, so that it must not keep a slot from those who do:
 * else one vendor that stands still would soon hold all of them.
 */
export class LentSlots {
  readonly #onLent: (lane: Lane) => void;
  readonly #lent: Record<Lane, number> = { prompt: 0, bulk: 0 };

  constructor(onLent: (lane: Lane) => void) {
    this.#onLent = onLent;
  }

  /** How many more than its own slots may be at work in a lane. */
  count(lane: Lane): number {
    return this.#lent[lane];
  }

  async during<T>(lane: Lane, waiting: Promise<T>): Promise<T> {
    let isLent = false;
    const timer = setTimeout(() => {
      if (this.#lent[lane] >= LENT_MAX[lane]) return;
      isLent = true;
      this.#lent[lane]++;
      this.#onLent(lane);
    }, PATIENCE_MS);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
      if (isLent) this.#lent[lane]--;
    }
  }
}
