const FRESH_MS = 2_000;
const ENTRIES_MAX = 10_000;

/** Remembers what was found for a few seconds, and asks once for all who want it meanwhile. What was not found is asked for again each time. */
export class FreshCache<T> {
  readonly #find: (key: string) => Promise<T | undefined>;
  readonly #entries = new Map<string, { value: T; at: number }>();
  readonly #asked = new Map<string, { answer: Promise<T | undefined>; at: number }>();

  constructor(find: (key: string) => Promise<T | undefined>) {
    this.#find = find;
  }

  /** An answer that is on its way is not remembered either: it may be from before. */
  forget(): void {
    this.#entries.clear();
    this.#asked.clear();
  }

  async get(key: string): Promise<T | undefined> {
    const known = this.#entries.get(key);
    if (known && performance.now() - known.at < FRESH_MS) return known.value;
    this.#entries.delete(key);
    const asked = this.#asked.get(key);
    // It may have been made after they asked, and what took long to come is not fresh.
    if (asked && performance.now() - asked.at < FRESH_MS) return (await asked.answer) ?? this.#find(key);
    const asking = { at: performance.now(), answer: this.#find(key) };
    this.#asked.set(key, asking);
    try {
      const value = await asking.answer;
      if (value !== undefined && this.#asked.get(key) === asking) this.#remember(key, { value, at: asking.at });
      return value;
    } finally {
      if (this.#asked.get(key) === asking) this.#asked.delete(key);
    }
  }

  #remember(key: string, entry: { value: T; at: number }): void {
    this.#entries.set(key, entry);
    if (this.#entries.size > ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value as string);
  }
}
