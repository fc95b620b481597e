/**
 * The next claim can start after at most 50 ms, even if the current claim is still waiting for an unavailable database.
 */
const CLAIMING_MS_MAX = 50;
/** Work that waits longer than this for a vendor frees its slot, so that other due work need not wait. */
const VENDOR_WAIT_MS = 20;

/** Called when the work has been claimed, so that the next claim can start. */
export type OnClaimed = () => void;

/**
 * A bounded number of slots that claim and process work. A slot whose claim was full claims again. A wake-up while
 * every slot is busy causes one more claim later. Only one claim runs at a time: work that is added during a claim is
 * claimed together by the next one. A busy machine therefore sends fewer queries, not more.
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

  /** `claim` claims work, calls `onClaimed`, and processes the work. It returns whether there may be more. */
  constructor(options: {
    count: number;
    claim: (onClaimed: OnClaimed) => Promise<boolean>;
    onError: (error: unknown) => void;
    /** Maximum number of slots that are free at a time while their work waits for a vendor. */
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
   * Frees the caller's slot while the caller waits for a vendor, because waiting uses no CPU. Otherwise one
   * unresponsive vendor would soon occupy all slots.
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

  /** Stops claiming, and resolves when the slots have finished their work. */
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
