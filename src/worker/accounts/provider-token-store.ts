import { type Keyring, open, seal } from '#src/foundation/sealed-box.ts';
import {
  claimProviderToken,
  findProviderToken,
  invalidateProviderToken,
  providerTokenContext,
  releaseProviderToken,
  type StoredToken,
  saveProviderToken,
} from '#src/storage/accounts/provider-tokens.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import type { IssuedToken, TokenStore } from '#src/vendors/tokens/provider-tokens.ts';

/** Whoever dies over making one is followed by another that much after a vendor's deadline. */
const CLAIM_MARGIN_SECONDS = 5;

/** Provider tokens in the home database: vendors frown on each worker having its own. */
export class ProviderTokenStore implements TokenStore {
  readonly #db: HomeDb;
  readonly #keyring: Keyring;
  readonly #claimSeconds: number;

  constructor(db: HomeDb, keyring: Keyring, deadlineSeconds: number) {
    this.#db = db;
    this.#keyring = keyring;
    this.#claimSeconds = deadlineSeconds + CLAIM_MARGIN_SECONDS;
  }

  async claim(name: string): Promise<IssuedToken | 'claimed' | 'claimed-elsewhere'> {
    if (await claimProviderToken(this.#db, name, this.#claimSeconds)) return 'claimed';
    const stored = await findProviderToken(this.#db, name);
    if (!stored) return 'claimed-elsewhere';
    const openedToken = this.#open(name, stored);
    if (openedToken) return openedToken;
    await invalidateProviderToken(this.#db, name, stored.madeAt);
    return (await claimProviderToken(this.#db, name, this.#claimSeconds)) ? 'claimed' : 'claimed-elsewhere';
  }

  async save(name: string, { token, madeAt, expiresAt }: IssuedToken): Promise<void> {
    const sealed = seal(this.#keyring, providerTokenContext(name), token);
    await saveProviderToken(this.#db, name, { token: sealed, madeAt, expiresAt });
  }

  async release(name: string): Promise<IssuedToken | undefined> {
    await releaseProviderToken(this.#db, name);
    const stored = await findProviderToken(this.#db, name);
    return stored && this.#open(name, stored);
  }

  async drop(name: string, { madeAt }: IssuedToken): Promise<void> {
    await invalidateProviderToken(this.#db, name, madeAt);
  }

  /**
   * Undefined: it was sealed under a master key that is gone, or a backup brought it from elsewhere. It can be had anew at
   * any time, so that it is as if there were none; to fail would keep the whole account silent until it expires.
   */
  #open(name: string, stored: StoredToken): IssuedToken | undefined {
    try {
      return { ...stored, token: open(this.#keyring, providerTokenContext(name), stored.token) };
    } catch {
      return undefined;
    }
  }
}
