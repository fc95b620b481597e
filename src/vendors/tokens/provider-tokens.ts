import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '#src/domain/outcome.ts';
import type { ProviderToken, TokenSource } from '../vendor.ts';

/** A provider token that is in use. */
export interface KeptToken {
  readonly token: string;
  readonly madeAt: Date;
  readonly expiresAt: Date;
}

/** Where all processes keep provider tokens together, so that each is made by one of them. */
export interface TokenStore {
  /** `yours`: nobody has a good one, and nobody else makes it for a while. `elsewhere`: another makes it just now. */
  claim(name: string): Promise<KeptToken | 'yours' | 'elsewhere'>;
  keep(name: string, token: KeptToken): Promise<void>;
  /** It could not be made, so another may try. Answers the old one, if it still lasts. */
  release(name: string): Promise<KeptToken | undefined>;
  /** The vendor does not take it any more. */
  drop(name: string, token: KeptToken): Promise<void>;
}

/** More accounts than one process serves at a time; the oldest is asked for anew if it comes back. */
const TOKENS_MAX = 1_000;
const ELSEWHERE_MS = 100;
const ELSEWHERE_TRIES_MAX = 50;
/** One that ends while a request is under way is of no use. */
const MARGIN_MS = 30_000;
/** While the old one still serves, a vendor that gives no other is not asked with every notification. */
const RENEWAL_PAUSE_MS = 10_000;

/** When it is had anew: Apple's live for an hour and not below 20 minutes, others' for an hour at least. */
export const isFresh = ({ madeAt, expiresAt }: KeptToken, now: Date): boolean => {
  const renewAt = madeAt.getTime() + (expiresAt.getTime() - madeAt.getTime()) * 0.75;
  // It may be a little younger than now: the database's clock was read again in between.
  return now.getTime() < renewAt && now.getTime() > madeAt.getTime() - MAX_SKEW_MS;
};
const MAX_SKEW_MS = 60_000;

interface Known {
  readonly kept: KeptToken;
  /** When another was last asked for in its stead. */
  triedAt: number;
}

/** The provider tokens of this process. With a store they are those of all processes. */
export class ProviderTokens {
  readonly #store: TokenStore | undefined;
  readonly #known = new Map<string, Known>();
  readonly #asked = new Map<string, Promise<KeptToken | Outcome>>();
  /** The last one that the vendor did not take: the store may tell it for a moment longer. */
  readonly #refused = new Map<string, string>();

  constructor(store?: TokenStore) {
    this.#store = store;
  }

  /** The one in use, or the one that `make` makes: once, however many ask. `now` is database time. */
  async get(name: string, now: Date, make: () => Promise<ProviderToken | Outcome>): Promise<KeptToken | Outcome> {
    const known = this.#known.get(name);
    if (!known) return this.#askOnce(name, now, make);
    const { kept, triedAt } = known;
    if (isFresh(kept, now)) return kept;
    if (kept.expiresAt.getTime() <= now.getTime() + MARGIN_MS) return this.#askOnce(name, now, make);
    // Nobody waits for the next one while this one serves: whoever gives them may take longer than a deadline.
    if (now.getTime() - triedAt >= RENEWAL_PAUSE_MS) {
      known.triedAt = now.getTime();
      this.#askOnce(name, now, make).catch(() => undefined); // it is told when the old one has ended
    }
    return kept;
  }

  /** The vendor has refused this one. */
  async forget(name: string, { token, ...rest }: KeptToken): Promise<void> {
    if (this.#known.get(name)?.kept.token === token) this.#known.delete(name);
    setBounded(this.#refused, name, token);
    await this.#store?.drop(name, { token, ...rest });
  }

  #askOnce(name: string, now: Date, make: () => Promise<ProviderToken | Outcome>): Promise<KeptToken | Outcome> {
    let asked = this.#asked.get(name);
    if (!asked) {
      asked = this.#ask(name, now, make).finally(() => this.#asked.delete(name));
      this.#asked.set(name, asked);
    }
    return asked;
  }

  async #ask(name: string, now: Date, make: () => Promise<ProviderToken | Outcome>): Promise<KeptToken | Outcome> {
    for (let tries = 0; tries < ELSEWHERE_TRIES_MAX; tries++) {
      const claimed = (await this.#store?.claim(name)) ?? 'yours';
      if (claimed === 'yours') return this.#make(name, now, make);
      if (claimed !== 'elsewhere' && !this.#isRefused(name, claimed)) return this.#remember(name, claimed);
      await sleep(ELSEWHERE_MS);
    }
    return { kind: 'unreachable', reason: 'another worker is still getting the provider token' };
  }

  async #make(name: string, now: Date, make: () => Promise<ProviderToken | Outcome>): Promise<KeptToken | Outcome> {
    let made: ProviderToken | Outcome;
    try {
      made = await make();
    } catch (error) {
      await this.#store?.release(name);
      throw error;
    }
    if ('kind' in made) {
      // The old one may last until the vendor gives us another; this process may never have had it.
      const old = (await this.#store?.release(name)) ?? this.#known.get(name)?.kept;
      return old && old.expiresAt > now && !this.#isRefused(name, old) ? this.#remember(name, old, now) : made;
    }
    const expiresAt = new Date(now.getTime() + made.lifeSeconds * 1_000);
    const kept = { token: made.token, madeAt: now, expiresAt };
    this.#refused.delete(name); // some vendors give the same one again
    this.#remember(name, kept); // first: it serves here even if the store does not take it
    await this.#store?.keep(name, kept);
    return kept;
  }

  #isRefused(name: string, { token }: KeptToken): boolean {
    return this.#refused.get(name) === token;
  }

  #remember(name: string, kept: KeptToken, triedAt?: Date): KeptToken {
    setBounded(this.#known, name, { kept, triedAt: triedAt?.getTime() ?? 0 });
    return kept;
  }
}

function setBounded<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
  if (map.size > TOKENS_MAX) map.delete(map.keys().next().value as string);
}

/** What a token is kept under. It says nothing of what the token is made from. */
export const tokenName = (vendor: string, { madeFrom }: TokenSource): string =>
  createHash('sha256')
    .update(JSON.stringify([vendor, ...madeFrom]))
    .digest('base64url');
