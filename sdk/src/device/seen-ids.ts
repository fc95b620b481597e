/** The inbox of a device holds 100; this many are remembered so that what comes again is known for days. */
export const SEEN_IDS_MAX = 500;

/** The message ids that were shown lately, the oldest first; the oldest are forgotten. */
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
