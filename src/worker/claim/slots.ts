/** Nobody waits longer for another one that looks: it may have asked a database that is away. */
const CLAIMING_MS_MAX = 50;
/** Work that waits longer than this for a vendor frees its slot, so that other due work need not wait. */
const VENDOR_WAIT_MS = 20;

/** Called when what was looked for is in hand, so that the next one may look. */
export type OnClaimed = () => void;

/**
 * A bounded number of slots that look for work. A slot that found as much as it could take asks again; a doorbell that
 * rings while every slot is busy makes it be asked once more. One looks at a time: what comes meanwhile is taken together
 * by the next, so that a busy machine asks less and not more.
 */
export class Slots {
  readonly #count: number;
  readonly #claim: (onClaimed: OnClaimed) => Promise<boolean>;
  readonly #onError: (error: unknown) => void;
  readonly #freedMax: number;
  readonly #busy = new Set<Promise<void>>();
  #freed = 0;
  #claiming = 0;
  #wakeUpPending = false;
  #stopped = false;

  /** `ask` looks for work, says when it has taken it, and does it; it answers whether there may be more. */
  constructor(options: {
    count: number;
    claim: (onClaimed: OnClaimed) => Promise<boolean>;
    onError: (error: unknown) => void;
    /** How many slots can be free at a time although their work waits for a vendor. */
    freedMax: number;
  }) {
    this.#count = options.count;
    this.#claim = options.claim;
    this.#onError = options.onError;
    this.#freedMax = options.freedMax;
  }

  wakeUp(): void {
    if (this.#stopped) return;
    if (this.#busy.size >= this.#count + this.#freed || this.#claiming > 0) {
      this.#wakeUpPending = true;
      return;
    }
    const work = this.#work().finally(() => {
      this.#busy.delete(work);
      this.#repeatWakeUp();
    });
    this.#busy.add(work);
  }

  /**
   * Frees the slot of the caller while it waits for a vendor. Such work uses no CPU, so it must not occupy a slot.
   * Otherwise one unresponsive vendor would soon occupy all slots.
   */
  async freeDuring<T>(waiting: Promise<T>): Promise<T> {
    let isFreed = false;
    const timer = setTimeout(() => {
      if (this.#freed >= this.#freedMax) return;
      isFreed = true;
      this.#freed++;
      this.#repeatWakeUp();
    }, VENDOR_WAIT_MS);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
      if (isFreed) this.#freed--;
    }
  }

  /** Takes nothing new and resolves when the slots have ended what they hold. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#busy);
  }

  async #work(): Promise<void> {
    try {
      while (!this.#stopped && (await this.#claimOnce()));
    } catch (error) {
      this.#onError(error);
    }
  }

  async #claimOnce(): Promise<boolean> {
    let isClaiming = true;
    this.#claiming++;
    const onClaimed = () => {
      clearTimeout(timer);
      if (!isClaiming) return;
      isClaiming = false;
      this.#claiming--;
      this.#repeatWakeUp();
    };
    const timer = setTimeout(onClaimed, CLAIMING_MS_MAX);
    try {
      return await this.#claim(onClaimed);
    } finally {
      onClaimed();
    }
  }

  #repeatWakeUp(): void {
    if (!this.#wakeUpPending) return;
    this.#wakeUpPending = false;
    this.wakeUp();
  }
}
