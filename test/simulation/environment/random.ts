/** The only source of randomness in a simulation, derived from one seed. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from 0 (inclusive) to `n` (exclusive). */
  below(n: number): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** sfc32, a small generator with 128 bits of state that passes the usual randomness tests. */
export function randomFrom(seed: number): Random {
  let [a, b, c, d] = [0x9e3779b9 | 0, 0x243f6a88 | 0, seed | 0, 1];
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next(); // mixes the state, so that similar seeds produce different numbers
  const below = (n: number) => Math.floor(next() * n);
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] as never,
  };
}
