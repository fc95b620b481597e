/**
 * Maximum number of ids. A device's inbox contains at most 100 notifications, so 500 ids are enough to recognise
 * repeats for days.
 */
export const SEEN_IDS_MAX = 500;

/** The message ids of recently shown notifications, the oldest first. Beyond the limit, the oldest are removed. */
export class SeenIds {
  readonly #ids: Set<string>;

  constructor(ids: readonly string[] = []) {
    this.#ids = new Set(ids.slice(-SEEN_IDS_MAX));
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= SEEN_IDS_MAX) return;
      this.#ids.delete(oldest);
    }
  }

  list(): string[] {
    return [...this.#ids];
  }
}
