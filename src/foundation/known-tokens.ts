import { createHash } from 'node:crypto';
import { BoundedMap } from './bounded-map.ts';

/** Addresses and tokens that are remembered. */
const ADDRESSES_MAX = 100_000;
const TOKENS_MAX = 100_000;
/** Bytes of a token's hash that are remembered. */
const HASH_BYTES = 12;
const MINUTE_MS = 60_000;

/** An attempt with a token that is not known yet. */
export interface UnknownAttempt {
  /** Stops counting the attempt, because the token is valid or its failure is not suspicious. */
  readonly forgive: () => void;
}

/**
 * Remembers tokens that were valid, and limits attempts with other tokens per address. Attempts with invented tokens
 * therefore reach the database only at a low rate, and do not prevent known tokens from being used.
 */
export class KnownTokens {
  readonly #unknownPerMinute: number;
  readonly #known = new BoundedMap<string, true>(TOKENS_MAX);
  readonly #unknown = new BoundedMap<string, { count: number; endsMs: number }>(ADDRESSES_MAX);

  /** `unknownPerMinute` is the limit of attempts with unknown tokens per address. 0 means no limit. */
  constructor(unknownPerMinute: number) {
    this.#unknownPerMinute = unknownPerMinute;
  }

  isKnown(token: string): boolean {
    return this.#known.has(keyOf(token));
  }

  add(token: string): void {
    this.#known.set(keyOf(token), true);
  }

  /**
   * Counts an attempt with an unknown token. It is counted before its result is known, so that simultaneous attempts
   * cannot exceed the limit. Returns undefined if the address has reached the limit.
   */
  attempt(address: string | undefined): UnknownAttempt | undefined {
    if (this.#unknownPerMinute === 0 || address === undefined) return { forgive: () => undefined };
    const period = this.#periodOf(address);
    if (period.count >= this.#unknownPerMinute) return undefined;
    period.count++;
    return { forgive: () => void period.count-- };
  }

  /** Returns the seconds until the address can make further attempts. */
  retryAfterSeconds(address: string): number {
    return Math.max(1, Math.ceil((this.#periodOf(address).endsMs - performance.now()) / 1_000));
  }

  #periodOf(address: string): { count: number; endsMs: number } {
    const now = performance.now();
    const existing = this.#unknown.get(address);
    if (existing && existing.endsMs > now) return existing;
    const period = { count: 0, endsMs: now + MINUTE_MS };
    this.#unknown.set(address, period);
    return period;
  }
}

/** Returns a short hash of a token, under which it can be remembered. */
export const keyOf = (token: string): string =>
  createHash('sha256').update(token).digest().toString('base64', 0, HASH_BYTES);
