import type { HomeDb } from '../database/database.ts';

/** A provider token as it is stored: sealed, bound to `providerTokenContext`. */
export interface StoredToken {
  readonly token: Buffer;
  readonly madeAt: Date;
  readonly expiresAt: Date;
}

export const providerTokenContext = (name: string): string => JSON.stringify(['provider_tokens', name]);

/** A token that expires during a request is useless, so tokens are not used in their last 30 seconds. */
const MARGIN = "interval '30 s'";

/**
 * Claims the right to create a token if there is none or three quarters of its lifetime are over. One worker holds the
 * claim for `seconds`.
 */
export async function claimProviderToken(db: HomeDb, name: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `insert into provider_tokens as p (name, claimed_until) values ($1, now() + make_interval(secs => $2))
     on conflict (name) do update set claimed_until = excluded.claimed_until
      where p.claimed_until <= now() and (p.token is null or p.made_at + 0.75 * (p.expires_at - p.made_at) <= now())
     returning name`,
    [name, seconds],
  );
  return rows.length > 0;
}

export async function findProviderToken(db: HomeDb, name: string): Promise<StoredToken | undefined> {
  const [row] = await db.query<StoredToken>(
    `select token, made_at as "madeAt", expires_at as "expiresAt"
       from provider_tokens
      where name = $1 and expires_at > now() + ${MARGIN}`,
    [name],
  );
  return row;
}

export async function saveProviderToken(db: HomeDb, name: string, token: StoredToken): Promise<void> {
  await db.query(
    `insert into provider_tokens (name, token, made_at, expires_at, claimed_until) values ($1, $2, $3, $4, now())
     on conflict (name) do update
        set token = excluded.token, made_at = excluded.made_at, expires_at = excluded.expires_at, claimed_until = now()`,
    [name, token.token, token.madeAt, token.expiresAt],
  );
}

/** Releases the claim after a token could not be created. */
export async function releaseProviderToken(db: HomeDb, name: string): Promise<void> {
  await db.query('update provider_tokens set claimed_until = now() where name = $1', [name]);
}

/** Clears a token that the vendor no longer accepts. Changes nothing if another token has replaced it. */
export async function invalidateProviderToken(db: HomeDb, name: string, madeAt: Date): Promise<void> {
  await db.query(
    `update provider_tokens set token = null, made_at = null, expires_at = null, claimed_until = now()
      where name = $1 and made_at = $2`,
    [name, madeAt],
  );
}

/**
 * Deletes up to `limit` tokens that expired more than a day ago and abandoned claims of that age. Returns the number of
 * deleted rows.
 */
export async function deleteOldProviderTokens(db: HomeDb, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from provider_tokens
      where name in (select name from provider_tokens
                      where coalesce(expires_at, claimed_until) < now() - interval '1 day'
                      order by name
                      limit $1
                        for update skip locked)
      returning name`,
    [limit],
  );
  return rows.length;
}
