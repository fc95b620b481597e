import type { Arrival } from './arrivals.ts';

/**
 * How often each token was sent each collapse id, however long ago: what a sender claims to have sent is held against it
 * after a load that is too large to list. An endless load must not fill the memory, so at the bound it says that it is
 * not whole any more.
 */
export class Tally {
  readonly #pairsMax: number;
  #byCollapseId = new Map<string, Map<string, number>>();
  #pairs = 0;
  #whole = true;

  constructor(pairsMax: number) {
    this.#pairsMax = pairsMax;
  }

  add({ collapse_id, token }: Arrival): void {
    if (collapse_id === null) return;
    let tokens = this.#byCollapseId.get(collapse_id);
    const times = tokens?.get(token) ?? 0;
    if (times === 0 && this.#pairs >= this.#pairsMax) {
      this.#whole = false;
      return;
    }
    if (!tokens) {
      tokens = new Map();
      this.#byCollapseId.set(collapse_id, tokens);
    }
    if (times === 0) this.#pairs += 1;
    tokens.set(token, times + 1);
  }

  snapshot(): { whole: boolean; tally: Record<string, Record<string, number>> } {
    const entries = [...this.#byCollapseId].map(([id, tokens]) => [id, Object.fromEntries(tokens)] as const);
    return { whole: this.#whole, tally: Object.fromEntries(entries) };
  }

  clear(): void {
    this.#byCollapseId = new Map();
    this.#pairs = 0;
    this.#whole = true;
  }
}
