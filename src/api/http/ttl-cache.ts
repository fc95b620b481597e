import { BoundedMap } from '#src/foundation/bounded-map.ts';

const TTL_MS = 2_000;
const ENTRIES_MAX = 10_000;

/**
 * Caches found values for two seconds and shares one lookup between simultaneous callers. Missing keys are looked up
 * again each time, unless `keepsMissing` is set, for keys that cannot be created later.
 */
export class TtlCache<T> {
  readonly #find: (key: string) => Promise<T | undefined>;
  readonly #entries = new BoundedMap<string, { value: T; at: number }>(ENTRIES_MAX);
  readonly #keepsMissing: boolean;
  /** Separate, so that many missing keys do not evict the values. */
  readonly #missing = new BoundedMap<string, number>(ENTRIES_MAX);
  readonly #pending = new Map<string, { result: Promise<T | undefined>; at: number }>();

  constructor(find: (key: string) => Promise<T | undefined>, { keepsMissing = false } = {}) {
    this.#find = find;
    this.#keepsMissing = keepsMissing;
  }

  /** Clears the cache. Results of pending lookups are not cached either, because they may be outdated. */
  clear(): void {
    this.#entries.clear();
    this.#missing.clear();
    this.#pending.clear();
  }

  /** Returns whether the key needs no lookup. */
  isCached(key: string): boolean {
    const at = this.#entries.get(key)?.at ?? this.#missing.get(key);
    return at !== undefined && performance.now() - at < TTL_MS;
  }

  async get(key: string): Promise<T | undefined> {
    const missingAt = this.#missing.get(key);
    if (missingAt !== undefined && performance.now() - missingAt < TTL_MS) return undefined;
    const entry = this.#entries.get(key);
    if (entry && performance.now() - entry.at < TTL_MS) return entry.value;
    this.#entries.delete(key);
    const pending = this.#pending.get(key);
    // A missing row may have been created after the pending lookup started, so it is looked up again. A lookup older
    // than the TTL is not shared.
    if (pending && performance.now() - pending.at < TTL_MS)
      return (await pending.result) ?? (this.#keepsMissing ? undefined : this.#find(key));
    const lookup = { at: performance.now(), result: this.#find(key) };
    this.#pending.set(key, lookup);
    try {
      const value = await lookup.result;
      if (this.#pending.get(key) === lookup) {
        if (value !== undefined) this.#entries.set(key, { value, at: lookup.at });
        else if (this.#keepsMissing) this.#missing.set(key, lookup.at);
      }
      return value;
    } finally {
      if (this.#pending.get(key) === lookup) this.#pending.delete(key);
    }
  }
}
