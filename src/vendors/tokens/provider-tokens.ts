import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '#src/domain/outcome.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { ProviderToken, TokenSource } from '../vendor.ts';

/** A provider token with its period of validity. */
export interface IssuedToken {
  readonly token: string;
  readonly madeAt: Date;
  readonly expiresAt: Date;
}

/** The store that all processes share, so that only one of them issues each provider token. */
export interface TokenStore {
  /**
   * Returns the stored token. `claimed`: the token is missing or due for renewal, and for a limited time only this
   * process can issue it. `claimed-elsewhere`: the token is missing, and another process is issuing it.
   */
  claim(name: string): Promise<IssuedToken | 'claimed' | 'claimed-elsewhere'>;
  save(name: string, token: IssuedToken): Promise<void>;
  /**
   * Ends the claim after a failure, so that another process can issue the token. Returns the old token if it is still
   * valid.
   */
  release(name: string): Promise<IssuedToken | undefined>;
  /** Deletes a token that the vendor no longer accepts. */
  drop(name: string, token: IssuedToken): Promise<void>;
}

/**
 * Maximum number of cached tokens. It is higher than the number of tokens that one process uses at a time. An evicted
 * token is requested again.
 */
const TOKENS_MAX = 1_000;
const CLAIM_POLL_MS = 100;
const CLAIM_POLLS_MAX = 50;
/** A token that could expire during a request is not used. */
const EXPIRY_MARGIN_MS = 30_000;
/**
 * Delay between renewals while the old token is valid, so that Carillon does not request a token from a failing vendor
 * for every notification.
 */
const RENEWAL_PAUSE_MS = 10_000;

/**
 * Returns whether a token is not due for renewal yet. Apple's tokens last an hour and must not be renewed within 20
 * minutes; tokens of other vendors last at least an hour.
 */
export const isFresh = ({ madeAt, expiresAt }: IssuedToken, now: Date): boolean => {
  const renewAt = madeAt.getTime() + (expiresAt.getTime() - madeAt.getTime()) * 0.75;
  // The token may be slightly newer than `now`, because the database's clock was read again in between.
  return now.getTime() < renewAt && now.getTime() > madeAt.getTime() - MAX_SKEW_MS;
};
const MAX_SKEW_MS = 60_000;

interface CacheEntry {
  readonly issued: IssuedToken;
  /** The time of the last attempt to renew the token. */
  renewalTriedAt: number;
}

/** Caches the provider tokens of this process. With a store, all processes share them. */
export class ProviderTokens {
  readonly #store: TokenStore | undefined;
  readonly #cache = new BoundedMap<string, CacheEntry>(TOKENS_MAX);
  readonly #pending = new Map<string, Promise<IssuedToken | Outcome>>();
  /** The last token that the vendor rejected. The store may still return it for a moment. */
  readonly #rejected = new BoundedMap<string, string>(TOKENS_MAX);

  constructor(store?: TokenStore) {
    this.#store = store;
  }

  /**
   * Returns the current token, or the result of `issue`, which is called once for concurrent requests. `now` is
   * database time.
   */
  async get(name: string, now: Date, issue: () => Promise<ProviderToken | Outcome>): Promise<IssuedToken | Outcome> {
    const entry = this.#cache.get(name);
    if (!entry) return this.#obtainOnce(name, now, issue);
    const { issued, renewalTriedAt } = entry;
    if (isFresh(issued, now)) return issued;
    if (issued.expiresAt.getTime() <= now.getTime() + EXPIRY_MARGIN_MS) return this.#obtainOnce(name, now, issue);
    // No request waits for a renewal while this token is valid, because a renewal can take longer than a request's
    // deadline.
    if (now.getTime() - renewalTriedAt >= RENEWAL_PAUSE_MS) {
      entry.renewalTriedAt = now.getTime();
      this.#obtainOnce(name, now, issue).catch(() => undefined); // a failure is reported once the old token has expired
    }
    return issued;
  }

  /** Discards a token that the vendor has rejected. */
  async invalidate(name: string, { token, ...rest }: IssuedToken): Promise<void> {
    if (this.#cache.get(name)?.issued.token === token) this.#cache.delete(name);
    this.#rejected.set(name, token);
    await this.#store?.drop(name, { token, ...rest });
  }

  #obtainOnce(name: string, now: Date, issue: () => Promise<ProviderToken | Outcome>): Promise<IssuedToken | Outcome> {
    let pending = this.#pending.get(name);
    if (!pending) {
      pending = this.#obtain(name, now, issue).finally(() => this.#pending.delete(name));
      this.#pending.set(name, pending);
    }
    return pending;
  }

  async #obtain(
    name: string,
    now: Date,
    issue: () => Promise<ProviderToken | Outcome>,
  ): Promise<IssuedToken | Outcome> {
    for (let tries = 0; tries < CLAIM_POLLS_MAX; tries++) {
      const claim = (await this.#store?.claim(name)) ?? 'claimed';
      if (claim === 'claimed') return this.#issue(name, now, issue);
      if (claim !== 'claimed-elsewhere' && !this.#isRejected(name, claim)) return this.#remember(name, claim);
      await sleep(CLAIM_POLL_MS);
    }
    return { kind: 'unreachable', reason: 'another worker is still obtaining the provider token' };
  }

  async #issue(name: string, now: Date, issue: () => Promise<ProviderToken | Outcome>): Promise<IssuedToken | Outcome> {
    let result: ProviderToken | Outcome;
    try {
      result = await issue();
    } catch (error) {
      await this.#store?.release(name);
      throw error;
    }
    if ('kind' in result) {
      // If no new token can be obtained, the old token is used until it expires. It is read from the store first,
      // because this process may not have cached it.
      const previous = (await this.#store?.release(name)) ?? this.#cache.get(name)?.issued;
      return previous && previous.expiresAt > now && !this.#isRejected(name, previous)
        ? this.#remember(name, previous, now)
        : result;
    }
    const expiresAt = new Date(now.getTime() + result.lifetimeSeconds * 1_000);
    const issued = { token: result.token, madeAt: now, expiresAt };
    this.#rejected.delete(name); // some vendors issue the same token again
    this.#remember(name, issued); // cached first, so that this process uses it even if the store fails
    await this.#store?.save(name, issued);
    return issued;
  }

  #isRejected(name: string, { token }: IssuedToken): boolean {
    return this.#rejected.get(name) === token;
  }

  #remember(name: string, issued: IssuedToken, renewalTriedAt?: Date): IssuedToken {
    this.#cache.set(name, { issued, renewalTriedAt: renewalTriedAt?.getTime() ?? 0 });
    return issued;
  }
}

/** Returns the name under which a token is stored. The name reveals nothing about the token's source. */
export const tokenName = (vendor: string, { cacheKeyParts }: TokenSource): string =>
  createHash('sha256')
    .update(JSON.stringify([vendor, ...cacheKeyParts]))
    .digest('base64url');
