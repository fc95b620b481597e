/** Nobody waits longer for another one that looks: it may have asked a database that is away. */
const CLAIMING_MS_MAX = 50;

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
  readonly #extraSlots: () => number;
  readonly #busy = new Set<Promise<void>>();
  #claiming = 0;
  #wakeUpPending = false;
  #stopped = false;

  /** `ask` looks for work, says when it has taken it, and does it; it answers whether there may be more. */
  constructor(options: {
    count: number;
    claim: (onClaimed: OnClaimed) => Promise<boolean>;
    onError: (error: unknown) => void;
    /** How many of those at work need no slot at present. */
    extraSlots?: () => number;
  }) {
    this.#count = options.count;
    this.#claim = options.claim;
    this.#onError = options.onError;
    this.#extraSlots = options.extraSlots ?? (() => 0);
  }

  /** A slot was lent: whoever has rung in vain is heard. */
  useExtraSlot(): void {
    this.#repeatWakeUp();
  }

  wakeUp(): void {
    if (this.#stopped) return;
    if (this.#busy.size >= this.#count + this.#extraSlots() || this.#claiming > 0) {
      this.#wakeUpPending = true;
      return;
    }
    const work = this.#work().finally(() => {
      this.#busy.delete(work);
      this.#repeatWakeUp();
    });
    this.#busy.add(work);
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
