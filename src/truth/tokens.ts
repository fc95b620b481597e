import { createHash } from 'node:crypto';
import type { HomeDb } from './database.ts';

export type TokenRow =
  | {
      readonly kind: 'user';
      readonly appId: string;
      readonly userId: bigint;
      readonly deviceId: bigint | null;
      readonly generation: number | null;
      readonly madeAt: Date;
      readonly expired: boolean;
    }
  | { readonly kind: 'admin'; readonly appId: string; readonly scopes: string[]; readonly expired: boolean };

/** Only the hash of a token is kept: whoever reads the table can use none of them. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Remembers a user's token and answers when it expires, and what time it is. */
export async function insertUserToken(
  db: HomeDb,
  token: string,
  of: { appId: string; userId: bigint; deviceId: bigint | null; generation: number | null; days: number },
): Promise<{ now: Date; expiresAt: Date }> {
  const [row] = await db.query<{ now: Date; expiresAt: Date }>(
    `insert into user_tokens (token_hash, app_id, user_id, device_id, generation, expires_at)
     values ($1, $2, $3, $4, $5, now() + $6 * interval '1 day')
     returning now(), expires_at as "expiresAt"`,
    [hashToken(token), of.appId, of.userId, of.deviceId, of.generation, of.days],
  );
  return row as { now: Date; expiresAt: Date };
}

export async function insertAdminToken(
  db: HomeDb,
  token: string,
  of: { appId: string; name: string; scopes: readonly string[] },
): Promise<void> {
  await db.query('insert into admin_tokens (token_hash, app_id, name, scopes) values ($1, $2, $3, $4)', [
    hashToken(token),
    of.appId,
    of.name,
    of.scopes,
  ]);
}

export async function findUserToken(db: HomeDb, token: string): Promise<TokenRow | undefined> {
  const [row] = await db.query<Extract<TokenRow, { kind: 'user' }>>(
    `select 'user' as kind, t.app_id as "appId", t.user_id as "userId", t.device_id as "deviceId", t.generation,
            t.created_at as "madeAt", t.expires_at <= now() as expired
       from user_tokens t
       join users u on u.app_id = t.app_id and u.user_id = t.user_id and u.disabled_at is null
      where t.token_hash = $1`,
    [hashToken(token)],
  );
  return row;
}

export async function findAdminToken(db: HomeDb, token: string): Promise<TokenRow | undefined> {
  const [row] = await db.query<Extract<TokenRow, { kind: 'admin' }>>(
    `select 'admin' as kind, app_id as "appId", scopes, coalesce(expires_at <= now(), false) as expired
       from admin_tokens
      where token_hash = $1 and revoked_at is null`,
    [hashToken(token)],
  );
  return row;
}
