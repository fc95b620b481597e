import { BoundedMap } from '#src/foundation/bounded-map.ts';
import { guardedHead } from '#src/foundation/guarded-head.ts';

const CACHE_TTL_MS = 10 * 60 * 1_000;
const CACHE_ENTRIES_MAX = 5_000;

/** How large images are, as far as their servers tell. Asked once in ten minutes per URL. */
export class ImageSizes {
  readonly #isAllowed: ((address: string) => boolean) | undefined;
  readonly #cache = new BoundedMap<string, { size: Promise<number>; at: number }>(CACHE_ENTRIES_MAX);

  /** `isAllowed` replaces the rule that only public addresses are asked. */
  constructor(isAllowed?: (address: string) => boolean) {
    this.#isAllowed = isAllowed;
  }

  /** In bytes; 0 when nobody can tell. */
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
