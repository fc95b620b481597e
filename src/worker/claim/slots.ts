/** Nobody waits longer for another one that looks: it may have asked a database that is away. */
const LOOKING_MS_MAX = 50;

/** Called when what was looked for is in hand, so that the next one may look. */
export type Taken = () => void;

/**
 * A bounded number of slots that look for work. A slot that found as much as it could take asks again; a doorbell that
 * rings while every slot is busy makes it be asked once more. One looks at a time: what comes meanwhile is taken together
 * by the next, so that a busy machine asks less and not more.
 */
export class Slots {
  readonly #count: number;
  readonly #ask: (taken: Taken) => Promise<boolean>;
  readonly #onError: (error: unknown) => void;
  readonly #lent: () => number;
  readonly #busy = new Set<Promise<void>>();
  #looking = 0;
  #rung = false;
  #stopped = false;

  /** `ask` looks for work, says when it has taken it, and does it; it answers whether there may be more. */
  constructor(options: {
    count: number;
    ask: (taken: Taken) => Promise<boolean>;
    onError: (error: unknown) => void;
    /** How many of those at work need no slot at present. */
    lent?: () => number;
  }) {
    this.#count = options.count;
    this.#ask = options.ask;
    this.#onError = options.onError;
    this.#lent = options.lent ?? (() => 0);
  }

  /** A slot was lent: whoever has rung in vain is heard. */
  lend(): void {
    this.#ringAgain();
  }

  ring(): void {
    if (this.#stopped) return;
    if (this.#busy.size >= this.#count + this.#lent() || this.#looking > 0) {
      this.#rung = true;
      return;
    }
    const work = this.#work().finally(() => {
      this.#busy.delete(work);
      this.#ringAgain();
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
      while (!this.#stopped && (await this.#look()));
    } catch (error) {
      this.#onError(error);
    }
  }

  async #look(): Promise<boolean> {
    let looking = true;
    this.#looking++;
    const taken = () => {
      clearTimeout(timer);
      if (!looking) return;
      looking = false;
      this.#looking--;
      this.#ringAgain();
    };
    const timer = setTimeout(taken, LOOKING_MS_MAX);
    try {
      return await this.#ask(taken);
    } finally {
      taken();
    }
  }

  #ringAgain(): void {
    if (!this.#rung) return;
    this.#rung = false;
    this.ring();
  }
}
