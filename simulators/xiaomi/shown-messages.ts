const KEYS_MAX = 100_000; // the oldest is forgotten: a simulator may run for weeks

/** Which jobkeys a phone has seen. */
export class ShownMessages {
  readonly #seen = new Set<string>();

  /** Without a jobkey every message is the first. */
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
