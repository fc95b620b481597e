const FRESH_MS = 2_000;
const ENTRIES_MAX = 10_000;

/** Remembers what was found for a few seconds. What was not found is asked for again each time. */
export class FreshCache<T> {
  readonly #find: (key: string) => Promise<T | undefined>;
  readonly #entries = new Map<string, { value: T; at: number }>();

  constructor(find: (key: string) => Promise<T | undefined>) {
    this.#find = find;
  }

  forget(): void {
    this.#entries.clear();
  }

  async get(key: string): Promise<T | undefined> {
    const known = this.#entries.get(key);
    if (known && performance.now() - known.at < FRESH_MS) return known.value;
    this.#entries.delete(key);
    const at = performance.now();
    const value = await this.#find(key);
    if (value === undefined) return undefined;
    this.#entries.set(key, { value, at });
    if (this.#entries.size > ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value as string);
    return value;
  }
}
