import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '#src/domain/outcome.ts';
import { BoundedMap } from '#src/foundation/bounded-map.ts';
import type { ProviderToken, TokenSource } from '../vendor.ts';

/** A provider token that is in use. */
export interface IssuedToken {
  readonly token: string;
  readonly madeAt: Date;
  readonly expiresAt: Date;
}

/** Where all processes keep provider tokens together, so that each is made by one of them. */
export interface TokenStore {
  /** `yours`: nobody has a good one, and nobody else makes it for a while. `elsewhere`: another makes it just now. */
  claim(name: string): Promise<IssuedToken | 'claimed' | 'claimed-elsewhere'>;
  save(name: string, token: IssuedToken): Promise<void>;
  /** It could not be made, so another may try. Answers the old one, if it still lasts. */
  release(name: string): Promise<IssuedToken | undefined>;
  /** The vendor does not take it any more. */
  drop(name: string, token: IssuedToken): Promise<void>;
}

/** More accounts than one process serves at a time; the oldest is asked for anew if it comes back. */
const TOKENS_MAX = 1_000;
const CLAIM_POLL_MS = 100;
const CLAIM_POLLS_MAX = 50;
/** One that ends while a request is under way is of no use. */
const EXPIRY_MARGIN_MS = 30_000;
/** While the old one still serves, a vendor that gives no other is not asked with every notification. */
const RENEWAL_PAUSE_MS = 10_000;

/** When it is had anew: Apple's live for an hour and not below 20 minutes, others' for an hour at least. */
export const isFresh = ({ madeAt, expiresAt }: IssuedToken, now: Date): boolean => {
  const renewAt = madeAt.getTime() + (expiresAt.getTime() - madeAt.getTime()) * 0.75;
  // It may be a little younger than now: the database's clock was read again in between.
  return now.getTime() < renewAt && now.getTime() > madeAt.getTime() - MAX_SKEW_MS;
};
const MAX_SKEW_MS = 60_000;

interface CacheEntry {
  readonly issued: IssuedToken;
  /** When another was last asked for in its stead. */
  renewalTriedAt: number;
}

/** The provider tokens of this process. With a store they are those of all processes. */
export class ProviderTokens {
  readonly #store: TokenStore | undefined;
  readonly #cache = new BoundedMap<string, CacheEntry>(TOKENS_MAX);
  readonly #pending = new Map<string, Promise<IssuedToken | Outcome>>();
  /** The last one that the vendor did not take: the store may tell it for a moment longer. */
  readonly #rejected = new BoundedMap<string, string>(TOKENS_MAX);

  constructor(store?: TokenStore) {
    this.#store = store;
  }

  /** The one in use, or the one that `make` makes: once, however many ask. `now` is database time. */
  async get(name: string, now: Date, issue: () => Promise<ProviderToken | Outcome>): Promise<IssuedToken | Outcome> {
    const entry = this.#cache.get(name);
    if (!entry) return this.#obtainOnce(name, now, issue);
    const { issued, renewalTriedAt } = entry;
    if (isFresh(issued, now)) return issued;
    if (issued.expiresAt.getTime() <= now.getTime() + EXPIRY_MARGIN_MS) return this.#obtainOnce(name, now, issue);
    // Nobody waits for the next one while this one serves: whoever gives them may take longer than a deadline.
    if (now.getTime() - renewalTriedAt >= RENEWAL_PAUSE_MS) {
      entry.renewalTriedAt = now.getTime();
      this.#obtainOnce(name, now, issue).catch(() => undefined); // it is told when the old one has ended
    }
    return issued;
  }

  /** The vendor has refused this one. */
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
    return { kind: 'unreachable', reason: 'another worker is still getting the provider token' };
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
      // The old one may last until the vendor gives us another; this process may never have had it.
      const previous = (await this.#store?.release(name)) ?? this.#cache.get(name)?.issued;
      return previous && previous.expiresAt > now && !this.#isRejected(name, previous)
        ? this.#remember(name, previous, now)
        : result;
    }
    const expiresAt = new Date(now.getTime() + result.lifetimeSeconds * 1_000);
    const issued = { token: result.token, madeAt: now, expiresAt };
    this.#rejected.delete(name); // some vendors give the same one again
    this.#remember(name, issued); // first: it serves here even if the store does not take it
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

/** What a token is kept under. It says nothing of what the token is made from. */
export const tokenName = (vendor: string, { cacheKeyParts }: TokenSource): string =>
  createHash('sha256')
    .update(JSON.stringify([vendor, ...cacheKeyParts]))
    .digest('base64url');
