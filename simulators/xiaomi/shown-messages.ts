const KEYS_MAX = 100_000; // beyond this limit, the oldest key is dropped, because a simulator may run for weeks

/** Jobkeys of the messages that each phone has shown. */
export class ShownMessages {
  readonly #seen = new Set<string>();

  /**
   * Returns whether the message is the first with its jobkey. A message without a jobkey always counts as the first.
   */
  isFirst(phone: string, jobkey: string | undefined): boolean {
    if (jobkey === undefined) return true;
    const key = `${phone} ${jobkey}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > KEYS_MAX && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}
