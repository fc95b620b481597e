import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { guardedHead } from '#src/foundation/guarded-head.ts';

const CACHE_TTL_MS = 10 * 60 * 1_000;
const CACHE_ENTRIES_MAX = 5_000;

/** Sizes of images as reported by their servers. Each URL is requested at most once in ten minutes. */
export class ImageSizes {
  readonly #isAllowed: ((address: string) => boolean) | undefined;
  readonly #cache = new BoundedMap<string, { size: Promise<number>; at: number }>(CACHE_ENTRIES_MAX);

  /** `isAllowed` replaces the rule that requests go only to public addresses. */
  constructor(isAllowed?: (address: string) => boolean) {
    this.#isAllowed = isAllowed;
  }

  /** Returns the size in bytes, or 0 if it is unknown. */
  sizeOf(url: string): Promise<number> {
    const entry = this.#cache.get(url);
    if (entry && performance.now() - entry.at < CACHE_TTL_MS) return entry.size;
    const size = this.#fetchSize(url);
    this.#cache.set(url, { size, at: performance.now() });
    return size;
  }

  async #fetchSize(url: string): Promise<number> {
    const response = await guardedHead(new URL(url), this.#isAllowed);
    const length = response?.status === 200 ? Number(response.headers['content-length']) : 0;
    return Number.isSafeInteger(length) ? length : 0;
  }
}
