/**
 * A bounded number of slots that look for work. A slot that found as much as it could take asks again; a doorbell that
 * rings while every slot is busy makes it be asked once more.
 */
export class Slots {
  readonly #count: number;
  readonly #ask: () => Promise<boolean>;
  readonly #onError: (error: unknown) => void;
  readonly #busy = new Set<Promise<void>>();
  #rung = false;
  #stopped = false;

  /** `ask` looks for work and does it; it answers whether there may be more. */
  constructor(options: { count: number; ask: () => Promise<boolean>; onError: (error: unknown) => void }) {
    this.#count = options.count;
    this.#ask = options.ask;
    this.#onError = options.onError;
  }

  ring(): void {
    if (this.#stopped) return;
    if (this.#busy.size >= this.#count) {
      this.#rung = true;
      return;
    }
    const work = this.#work().finally(() => {
      this.#busy.delete(work);
      if (this.#rung) {
        this.#rung = false;
        this.ring();
      }
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
      while (!this.#stopped && (await this.#ask()));
    } catch (error) {
      this.#onError(error);
    }
  }
}
