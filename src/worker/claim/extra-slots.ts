import type { Lane } from '#src/domain/task.ts';

/** Whoever waits for a vendor longer than this lends its slot to others: what is due behind it waits no longer. */
const VENDOR_WAIT_MS = 20;
/**
 * So many at a time: a vendor that never answers holds each for a deadline, and by then its gate is closed. Bulk work lends
 * none: its rounds take turns, and with more of them in line what came of one would be written after its lease is over.
 */
const EXTRA_SLOTS_MAX: Readonly<Record<Lane, number>> = { prompt: 256, bulk: 0 };

/**
 * Counts the work that only waits for a vendor. It needs no processor, so that it must not keep a slot from those who do:
 * else one vendor that stands still would soon hold all of them.
 */
export class ExtraSlots {
  readonly #onGranted: (lane: Lane) => void;
  readonly #granted: Record<Lane, number> = { prompt: 0, bulk: 0 };

  constructor(onGranted: (lane: Lane) => void) {
    this.#onGranted = onGranted;
  }

  /** How many more than its own slots may be at work in a lane. */
  count(lane: Lane): number {
    return this.#granted[lane];
  }

  async grantDuring<T>(lane: Lane, waiting: Promise<T>): Promise<T> {
    let isGranted = false;
    const timer = setTimeout(() => {
      if (this.#granted[lane] >= EXTRA_SLOTS_MAX[lane]) return;
      isGranted = true;
      this.#granted[lane]++;
      this.#onGranted(lane);
    }, VENDOR_WAIT_MS);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
      if (isGranted) this.#granted[lane]--;
    }
  }
}
