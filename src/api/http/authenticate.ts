import type { IncomingHttpHeaders } from 'node:http';
import { isBlank } from '#src/domain/blank.ts';
import { type Caller, decideCaller, type TokenHolder } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { addressKeyOf } from '#src/foundation/address-key.ts';
import { textToInt64 } from '#src/foundation/int64.ts';
import { KnownTokens, type UnknownAttempt } from '#src/foundation/known-tokens.ts';
import { hasChecksum } from '#src/foundation/random-text.ts';
import { type App, findApp, findCorsOrigins } from '#src/storage/accounts/apps.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findSession, type OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import { findAdminToken, findUserToken, type TokenRow } from '#src/storage/users/tokens.ts';
import { userExists } from '#src/storage/users/users.ts';
import { requireGroup } from './require-group.ts';
import { TtlCache } from './ttl-cache.ts';

/** Tokens start with a prefix that names their kind, so that one lookup in one table is enough. */
export const USER_TOKEN_PREFIX = 'cu_';
export const ADMIN_TOKEN_PREFIX = 'ca_';
export const TOKEN_BITS = 256;
/** A session ID that `sign-in.ts` generates. Other values are rejected without a query. */
const SESSION_ID = /^[0-9A-Za-z]{43}$/;

/** The row of a token. Operators have sessions instead. */
type StoredToken = Exclude<TokenRow, { kind: 'operator' }>;

/** At most this many origins of all apps, which are kept in memory: about 3 MB. */
const CORS_ORIGINS_MAX = 20_000;

/**
 * Identifies the caller of a request. Cached rows are at most two seconds old, so a revoked token stops working
 * quickly.
 */
export class Authenticator {
  readonly #db: HomeDb;
  readonly #apps: TtlCache<App>;
  readonly #tokens: TtlCache<StoredToken>;
  readonly #sessions: TtlCache<OperatorSession>;
  /** The origins of all apps, under one key. */
  readonly #corsOrigins: TtlCache<ReadonlySet<string>>;
  /** Tokens and app IDs that were found before. */
  readonly #known: KnownTokens;

  /** `unknownPerMinute` limits the requests with unknown apps or tokens per address. 0 means no limit. */
  constructor(db: HomeDb, unknownPerMinute: number) {
    this.#db = db;
    this.#known = new KnownTokens(unknownPerMinute);
    this.#apps = new TtlCache((appId) => findApp(db, appId));
    this.#corsOrigins = new TtlCache(async () => new Set(await findCorsOrigins(db, CORS_ORIGINS_MAX)));
    // A missing token was invented or revoked, or its user or app is disabled. Enabling them takes effect within two
    // seconds.
    this.#tokens = new TtlCache<StoredToken>(
      (token) => (token.startsWith(ADMIN_TOKEN_PREFIX) ? findAdminToken(db, token) : findUserToken(db, token)),
      { keepsMissing: true },
    );
    this.#sessions = new TtlCache((sessionId) => findSession(db, sessionId), { keepsMissing: true });
  }

  /** Clears the cache, so that the next request reads its app and token from the database. */
  clearCache(): void {
    this.#apps.clear();
    this.#tokens.clear();
    this.#sessions.clear();
    this.#corsOrigins.clear();
  }

  /** Returns the origins of all apps. */
  async corsOrigins(): Promise<ReadonlySet<string>> {
    return (await this.#corsOrigins.get('all')) ?? new Set();
  }

  async app(headers: IncomingHttpHeaders, address: string): Promise<App> {
    const appId = headers.app_id;
    if (typeof appId !== 'string' || isBlank(appId))
      throw new Problem(
        'bad-parameter',
        'The app_id header is missing. If you sent it, a proxy has dropped it; nginx needs `underscores_in_headers on`.',
      );
    const app = await this.#lookUp(this.#apps, appId, address);
    if (!app) throw new Problem('unknown-app');
    return app;
  }

  /** Returns the token of a request. Throws if it is not valid. */
  async token(app: App, headers: IncomingHttpHeaders, address: string): Promise<StoredToken> {
    const token = headers['access-token'];
    if (typeof token !== 'string' || isBlank(token)) throw new Problem('token-missing');
    if (!hasChecksum(token)) throw new Problem('token-invalid');
    const row = await this.#lookUp(this.#tokens, token, address);
    if (!row || row.appId !== app.appId) throw new Problem('token-invalid');
    if (row.expired) throw new Problem('token-expired');
    return row;
  }

  /** Returns the session of an operator. Throws if it has ended. */
  async session(sessionId: string, address: string): Promise<OperatorSession> {
    const session = SESSION_ID.test(sessionId) ? await this.#lookUp(this.#sessions, sessionId, address) : undefined;
    if (!session) throw new Problem('session-missing');
    return session;
  }

  async caller(token: TokenRow, headers: IncomingHttpHeaders): Promise<Caller> {
    const caller = decideCaller(
      toTokenHolder(token),
      { userId: headerText(headers.user_id), groupId: headerText(headers.group_id) },
      textToInt64,
    );
    await this.#requireExists(caller);
    return caller;
  }

  /**
   * Returns the value of a key. A key that was not found before counts for the address. Throws if the address has
   * looked up too many of them. If the database fails, the lookup does not count.
   */
  async #lookUp<T>(cache: TtlCache<T>, key: string, address: string): Promise<T | undefined> {
    if (cache.isCached(key)) return cache.get(key);
    const attempt = this.#known.isKnown(key) ? undefined : this.#attempt(address);
    let value: T | undefined;
    try {
      value = await cache.get(key);
    } catch (error) {
      attempt?.forgive();
      throw error;
    }
    if (value === undefined) return undefined;
    attempt?.forgive();
    this.#known.add(key);
    return value;
  }

  #attempt(address: string): UnknownAttempt {
    const addressKey = addressKeyOf(address);
    const attempt = this.#known.attempt(addressKey);
    if (attempt) return attempt;
    const retryAfterSeconds = this.#known.retryAfterSeconds(addressKey);
    throw new Problem('too-many-requests', undefined, { retryAfterSeconds });
  }

  /** Throws if the group, or the user that an admin acts for, does not exist. */
  async #requireExists(caller: Caller): Promise<void> {
    if (caller.kind === 'group') await requireGroup(this.#db, caller.appId, caller.groupId);
    if (caller.kind === 'admin' && caller.onBehalfOf !== undefined)
      if (!(await userExists(this.#db, caller.appId, caller.onBehalfOf))) throw new Problem('no-such-user');
  }
}

const headerText = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;

function toTokenHolder(row: TokenRow): TokenHolder {
  if (row.kind === 'operator') return { kind: 'admin', appId: row.appId ?? '', scopes: row.scopes, isOperator: true };
  if (row.kind === 'admin')
    return { kind: 'admin', appId: row.appId, scopes: row.scopes, groupId: row.groupId ?? undefined };
  const { appId, userId, deviceId, generation, mayPush } = row;
  const device = deviceId === null || generation === null ? undefined : { deviceId, generation };
  return { kind: 'user', appId, userId, device, mayPush };
}
