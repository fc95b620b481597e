import { createHash } from 'node:crypto';
import { type HomeDb, inTransaction } from '../database/database.ts';
import { revokeDeviceTokens } from './revocations.ts';

export type TokenRow = UserTokenRow | AdminTokenRow | OperatorRow;

export interface UserTokenRow {
  readonly kind: 'user';
  readonly appId: string;
  readonly tokenHash: Buffer;
  readonly userId: bigint;
  readonly deviceId: bigint | null;
  readonly generation: number | null;
  /** The admin token that created it, or null after a login with a password. */
  readonly parent: bigint | null;
  readonly mayPush: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The time at which this row was read. */
  readonly readAt: Date;
  readonly expired: boolean;
}

export interface AdminTokenRow {
  readonly kind: 'admin';
  readonly appId: string;
  readonly tokenId: bigint;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The only group that the token can act for. */
  readonly groupId: bigint | null;
  readonly expiresAt: Date | null;
  readonly expired: boolean;
}

/** An operator who calls an operation with a session instead of a token. */
export interface OperatorRow {
  readonly kind: 'operator';
  /** Null if the call belongs to no app. */
  readonly appId: string | null;
  readonly operatorId: bigint;
  readonly email: string;
  readonly scopes: readonly string[];
}

/** Hashes a token. Only the hash is stored, so that reading the table does not reveal a usable token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Identifies the token of a request in records. */
export interface TokenReference {
  readonly kind: TokenRow['kind'];
  readonly tokenId: bigint;
  /** The admin token that created an access token, or null. */
  readonly parent: bigint | null;
}

/**
 * Returns the reference of a token. The ID of an access token is the first 53 bits of its hash, which do not help to
 * guess the token. The row of an access token is deleted when it is revoked, so its ID must not depend on the row.
 */
export function referenceOf(token: TokenRow): TokenReference {
  if (token.kind === 'operator') return { kind: 'operator', tokenId: token.operatorId, parent: null };
  if (token.kind === 'admin') return { kind: 'admin', tokenId: token.tokenId, parent: null };
  return { kind: 'user', tokenId: token.tokenHash.readBigUInt64BE(0) >> 11n, parent: token.parent };
}

/**
 * Maximum number of tokens per user, which is more than a user is expected to need. Above this number, the oldest
 * tokens are revoked.
 */
const TOKENS_PER_USER_MAX = 100;

export interface NewUserToken {
  readonly appId: string;
  readonly userId: bigint;
  readonly deviceId: bigint | null;
  readonly generation: number | null;
  readonly validDays: number;
  /**
   * The hash that the password was checked against. The token is created only if it is still the same. Absent if the
   * password does not matter.
   */
  readonly passwordHash?: string;
  /** The admin token that creates the token. Absent after a login with a password. */
  readonly parent?: TokenParent;
}

/** An admin token that creates an access token. */
export interface TokenParent {
  readonly tokenId: bigint;
  readonly mayPush: boolean;
}

/**
 * Stores a user's token and returns its expiry and the current time. Revokes the tokens of earlier logins on the device.
 * Returns undefined if the user has been disabled, deleted or given another password since the check.
 */
export function insertUserToken(
  db: HomeDb,
  token: string,
  details: NewUserToken,
): Promise<{ now: Date; expiresAt: Date; revoked: boolean } | undefined> {
  return inTransaction(db, async (tx) => {
    const activeUsers = await tx.query(
      `select from users
        where app_id = $1 and user_id = $2 and disabled_at is null and ($3::text is null or password_hash = $3)
          for share`,
      [details.appId, details.userId, details.passwordHash ?? null],
    );
    if (activeUsers.length === 0) return undefined;
    const { deviceId, generation } = details;
    const earlierLogins = deviceId === null || generation === null ? [] : [{ deviceId, generation: generation - 1 }];
    const revokedEarlier = await revokeDeviceTokens(tx, earlierLogins);
    const revokedOldest = await tx.query(
      `with oldest as (
         select token_hash from user_tokens
          where token_hash in (select token_hash from user_tokens
                                where app_id = $1 and user_id = $2
                                order by created_at desc offset ${TOKENS_PER_USER_MAX - 1})
          order by token_hash
            for update
       ), gone as (
         delete from user_tokens t using oldest o where t.token_hash = o.token_hash returning t.app_id, t.token_hash
       )
       insert into revocations (app_id, token_hash) select app_id, token_hash from gone returning number`,
      [details.appId, details.userId],
    );
    const revoked = revokedEarlier || revokedOldest.length > 0;
    const [row] = await tx.query<{ now: Date; expiresAt: Date }>(
      `insert into user_tokens
              (token_hash, app_id, user_id, device_id, generation, expires_at, created_at, parent, may_push)
       values ($1, $2, $3, $4, $5, now() + $6 * interval '1 day', clock_timestamp(), $7, $8)
       returning now(), expires_at as "expiresAt"`,
      [
        ...[hashToken(token), details.appId, details.userId, details.deviceId, details.generation, details.validDays],
        ...[details.parent?.tokenId ?? null, details.parent?.mayPush ?? null],
      ],
    );
    return { ...(row as { now: Date; expiresAt: Date }), revoked };
  });
}

export interface NewAdminToken {
  readonly appId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Absent if the token does not expire automatically. */
  readonly validDays?: number;
  /** The admin token that creates it. Absent if the operator creates it. */
  readonly parent?: bigint;
  readonly groupId?: bigint | undefined;
  /** The latest expiry: a token does not outlast the token that created it. */
  readonly until?: Date | null;
}

export async function insertAdminToken(
  db: HomeDb,
  token: string,
  details: NewAdminToken,
): Promise<{ tokenId: bigint; expiresAt: Date | null }> {
  const [row] = await db.query<{ tokenId: bigint; expiresAt: Date | null }>(
    `insert into admin_tokens (token_hash, app_id, name, scopes, expires_at, parent, group_id)
     values ($1, $2, $3, $4, least(now() + $5::int * interval '1 day', $6::timestamptz), $7, $8)
     returning token_id as "tokenId", expires_at as "expiresAt"`,
    [
      ...[hashToken(token), details.appId, details.name, details.scopes, details.validDays ?? null],
      ...[details.until ?? null, details.parent ?? null, details.groupId ?? null],
    ],
  );
  return row as { tokenId: bigint; expiresAt: Date | null };
}

/**
 * Returns the row of a user token, or undefined if the token is unknown, its user or app is disabled, or the admin token
 * that created it was revoked.
 */
export async function findUserToken(db: HomeDb, token: string): Promise<UserTokenRow | undefined> {
  const [row] = await db.queryPrepared<UserTokenRow>(
    `${SELECT_USER_TOKEN} where t.token_hash = $1 and ${PARENT_IS_VALID} and not (${OWNER_IS_DISABLED})`,
    [hashToken(token)],
  );
  return row;
}

/** A token of a device that connects. */
export interface ConnectingToken extends UserTokenRow {
  /** Whether the user or the app is disabled. */
  readonly disabled: boolean;
}

/**
 * Returns several tokens, for devices that connect at the same time. The result has one element per token, in order.
 */
export async function findUserTokens(db: HomeDb, tokens: readonly string[]): Promise<(ConnectingToken | undefined)[]> {
  const hashes = tokens.map(hashToken);
  const rows = await db.queryPrepared<ConnectingToken>(
    `${SELECT_USER_TOKEN} where t.token_hash = any($1::bytea[]) and ${PARENT_IS_VALID}`,
    [hashes],
  );
  const byHash = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')));
}

/** Returns the times and devices of a user's tokens, of which there are at most 100. */
export async function findTokensOfUser(
  db: HomeDb,
  appId: string,
  userId: bigint,
): Promise<{ readonly deviceId: bigint | null; readonly createdAt: Date; readonly expiresAt: Date }[]> {
  return db.query(
    `select device_id as "deviceId", created_at as "createdAt", expires_at as "expiresAt"
       from user_tokens
      where app_id = $1 and user_id = $2
      order by created_at`,
    [appId, userId],
  );
}

const OWNER_IS_DISABLED = 'u.disabled_at is not null or a.disabled_at is not null';

const SELECT_USER_TOKEN = `
  select 'user' as kind, t.app_id as "appId", t.token_hash as "tokenHash", t.user_id as "userId",
         t.device_id as "deviceId", t.generation, t.parent, coalesce(t.may_push, true) as "mayPush",
         t.created_at as "createdAt", t.expires_at as "expiresAt", now() as "readAt",
         t.expires_at <= now() as expired, ${OWNER_IS_DISABLED} as disabled
    from user_tokens t
    join users u on u.app_id = t.app_id and u.user_id = t.user_id
    join apps a on a.app_id = t.app_id
    left join admin_tokens p on p.token_id = t.parent and p.revoked_at is not null and p.keeps_user_tokens is not true`;
/** The parent of the token is revoked if the join found it. */
const PARENT_IS_VALID = 'p.token_id is null';

export async function findAdminToken(db: HomeDb, token: string): Promise<AdminTokenRow | undefined> {
  const [row] = await db.queryPrepared<AdminTokenRow>(
    `select 'admin' as kind, app_id as "appId", token_id as "tokenId", name, scopes, group_id as "groupId",
            expires_at as "expiresAt", coalesce(expires_at <= now(), false) as expired
       from admin_tokens
      where token_hash = $1 and revoked_at is null`,
    [hashToken(token)],
  );
  return row;
}

export interface ListedAdminToken {
  readonly tokenId: bigint;
  readonly name: string;
  readonly scopes: string[];
  readonly groupId: bigint | null;
  /** The admin token that created it, or null if the operator created it. */
  readonly parent: bigint | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

export async function findAdminTokens(db: HomeDb, appId: string, limit: number): Promise<ListedAdminToken[]> {
  return db.query<ListedAdminToken>(
    `select token_id as "tokenId", name, scopes, group_id as "groupId", parent, expires_at as "expiresAt",
            created_at as "createdAt"
       from admin_tokens
      where app_id = $1 and revoked_at is null
      order by token_id
      limit $2`,
    [appId, limit],
  );
}

/** Returns the scopes of an admin token, or undefined if the app has no token with this ID. */
export async function findAdminTokenScopes(db: HomeDb, appId: string, tokenId: bigint): Promise<string[] | undefined> {
  const [row] = await db.query<{ scopes: string[] }>(
    'select scopes from admin_tokens where app_id = $1 and token_id = $2',
    [appId, tokenId],
  );
  return row?.scopes;
}

/**
 * Revokes an admin token and all admin tokens that were created with it, directly or indirectly. The access tokens that
 * they created become invalid too, unless `keepsUserTokens` is true. Revoking a token again has no effect.
 */
export async function revokeAdminToken(
  db: HomeDb,
  appId: string,
  tokenId: bigint,
  keepsUserTokens: boolean,
): Promise<void> {
  await db.query(
    `with recursive family as (
       select token_id from admin_tokens where app_id = $1 and token_id = $2
       union
       select c.token_id from admin_tokens c join family f on c.parent = f.token_id
     ), locked as (
       select token_id from admin_tokens where token_id in (select token_id from family) and revoked_at is null
        order by token_hash
          for update
     ), revoked as (
       update admin_tokens t set revoked_at = now(), keeps_user_tokens = $3
         from locked l
        where t.token_id = l.token_id
        returning t.token_id
     )
     -- With neither a user nor a hash, gateways of the previous version would disconnect the whole app.
     insert into revocations (app_id, token_hash, parent) select $1, '', token_id from revoked where not $3`,
    [appId, tokenId, keepsUserTokens],
  );
}

/** Number of days after its expiry for which a token is reported as expired instead of unknown. */
const EXPIRED_KEPT_DAYS = 30;

export async function deleteExpiredTokens(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from user_tokens
      where token_hash in (select token_hash from user_tokens
                            where expires_at < now() - interval '${EXPIRED_KEPT_DAYS} days'
                            limit $1
                              for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
