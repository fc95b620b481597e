import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '#src/domain/caller.ts';
import { Problem } from '#src/domain/problem.ts';
import { textToInt64 } from '#src/foundation/int64.ts';
import { hasChecksum } from '#src/foundation/random-text.ts';
import { type App, findApp } from '#src/truth/apps.ts';
import type { HomeDb } from '#src/truth/database.ts';
import { findAdminToken, findUserToken, type TokenRow } from '#src/truth/tokens.ts';
import { FreshCache } from './fresh-cache.ts';

/** Tokens begin with what they are, so that one look into one table is enough. */
export const USER_TOKEN_PREFIX = 'cu_';
export const ADMIN_TOKEN_PREFIX = 'ca_';

/** Finds out who makes a call. What it knows is at most three seconds old, so a revoked token is dead soon. */
export class Authenticator {
  readonly #apps: FreshCache<App>;
  readonly #tokens: FreshCache<TokenRow>;

  constructor(db: HomeDb) {
    this.#apps = new FreshCache((appId) => findApp(db, appId));
    this.#tokens = new FreshCache((token) =>
      token.startsWith(ADMIN_TOKEN_PREFIX) ? findAdminToken(db, token) : findUserToken(db, token),
    );
  }

  async app(headers: IncomingHttpHeaders): Promise<App> {
    const appId = headers.app_id;
    if (typeof appId !== 'string' || appId === '')
      throw new Problem(
        'bad-parameter',
        'The header app_id is missing. If it was sent, a proxy has dropped it: nginx does, unless told `underscores_in_headers on`.',
      );
    const app = await this.#apps.get(appId);
    if (!app) throw new Problem('unknown-app');
    return app;
  }

  async caller(app: App, headers: IncomingHttpHeaders): Promise<Caller> {
    const token = headers['access-token'];
    if (typeof token !== 'string' || token === '') throw new Problem('token-missing');
    if (!hasChecksum(token)) throw new Problem('token-invalid');
    const row = await this.#tokens.get(token);
    if (!row || row.appId !== app.appId) throw new Problem('token-invalid');
    if (row.expired) throw new Problem('token-expired');
    return toCaller(row, headers);
  }
}

function toCaller(row: TokenRow, headers: IncomingHttpHeaders): Caller {
  // Acting for a group or for a user is not built yet, and to ignore the wish would reach the wrong people.
  if (headers.group_id !== undefined) throw new Problem('bad-parameter', 'group_id is not supported yet.');
  if (row.kind === 'admin') {
    if (headers.user_id !== undefined) throw new Problem('bad-parameter', 'user_id is not supported yet.');
    return { kind: 'admin', appId: row.appId, scopes: row.scopes };
  }
  const { appId, userId, deviceId, generation } = row;
  if (headers.user_id !== undefined && textToInt64(headers.user_id) !== userId)
    throw new Problem('no-permission', 'A user token may act only for its own user.');
  const device = deviceId === null || generation === null ? undefined : { deviceId, generation };
  return { kind: 'user', appId, userId, device };
}
