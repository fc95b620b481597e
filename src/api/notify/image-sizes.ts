import { guardedHead } from '#src/foundation/guarded-head.ts';

const REMEMBERED_MS = 10 * 60 * 1_000;
const REMEMBERED_MAX = 5_000;

/** How large images are, as far as their servers tell. Asked once in ten minutes per URL. */
export class ImageSizes {
  readonly #isAllowed: ((address: string) => boolean) | undefined;
  readonly #known = new Map<string, { size: Promise<number>; at: number }>();

  /** `isAllowed` replaces the rule that only public addresses are asked. */
  constructor(isAllowed?: (address: string) => boolean) {
    this.#isAllowed = isAllowed;
  }

  /** In bytes; 0 when nobody can tell. */
  sizeOf(url: string): Promise<number> {
    const known = this.#known.get(url);
    if (known && performance.now() - known.at < REMEMBERED_MS) return known.size;
    const size = this.#ask(url);
    this.#known.delete(url);
    this.#known.set(url, { size, at: performance.now() });
    if (this.#known.size > REMEMBERED_MAX) this.#known.delete(this.#known.keys().next().value as string);
    return size;
  }

  async #ask(url: string): Promise<number> {
    const answer = await guardedHead(new URL(url), this.#isAllowed);
    const length = answer?.status === 200 ? Number(answer.headers['content-length']) : 0;
    return Number.isSafeInteger(length) ? length : 0;
  }
}
