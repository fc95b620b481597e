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

/**
 * If a worker crashes while it requests a token, another worker can request one after the vendor deadline plus this
 * margin.
 */
const CLAIM_MARGIN_SECONDS = 5;

/**
 * Provider tokens in the home database. All workers share them, because vendors limit or reject separate tokens for
 * each worker.
 */
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
   * Returns undefined if the token was sealed under a master key that is missing, or came from a backup of another
   * installation. It is then treated as absent, because a new token can be requested at any time. An error would block
   * the whole account until the token expires.
   */
  #open(name: string, stored: StoredToken): IssuedToken | undefined {
    try {
      return { ...stored, token: open(this.#keyring, providerTokenContext(name), stored.token) };
    } catch {
      return undefined;
    }
  }
}
