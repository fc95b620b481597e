import type { LoginName } from '#src/domain/login-name.ts';
import { type HomeDb, inTransaction, violatedIndex } from '../database/database.ts';
import { noFreeNumberError, sequenceSkips } from '../database/sequence-skips.ts';
import { insertErasure } from './erasures.ts';
import { revokeAllUserTokens, revokeOtherUserTokens } from './revocations.ts';

/** The names that a user can log in with, as stored. */
export interface LoginNames {
  readonly name?: string | null;
  readonly mobile?: string | null;
  readonly email?: string | null;
}

export interface NewUser extends LoginNames {
  readonly appId: string;
  /** Absent if the ID is to be generated. */
  readonly userId?: bigint;
  /** Absent if the user cannot log in with a password. */
  readonly passwordHash?: string;
}

export interface User {
  readonly userId: bigint;
  readonly name: string | null;
  readonly mobile: string | null;
  readonly email: string | null;
  readonly hasPassword: boolean;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** A user with the fields that a login needs. */
export interface LoginUser {
  /** The home database's time. */
  readonly now: Date;
  readonly userId: bigint;
  readonly passwordHash: string | null;
  /** Buckets in which the user may have devices. */
  readonly deviceBuckets: readonly number[];
}

/** The field of a user whose value another user already has. */
export type ConflictingField = 'user_id' | 'name' | 'mobile' | 'email';

const fieldByIndex: Readonly<Record<string, ConflictingField>> = {
  users_pkey: 'user_id',
  users_by_name: 'name',
  users_by_mobile: 'mobile',
  users_by_email: 'email',
};

/** Creates a user and returns its ID, or the field whose value another user already has. */
export async function insertUser(db: HomeDb, user: NewUser): Promise<bigint | ConflictingField> {
  const { appId, userId, name = null, mobile = null, email = null, passwordHash = null } = user;
  for (const skip of sequenceSkips) {
    try {
      const createdId = await inTransaction(db, async (tx) => {
        const [row] = await tx.query<{ userId: bigint }>(
          `insert into users (app_id, user_id, name, mobile, email, password_hash)
           values ($1,
                   coalesce($2::bigint,
                            case when $7::bigint = 0 then nextval('user_numbers')
                                 else setval('user_numbers', nextval('user_numbers') + $7) end),
                   $3, $4, $5, $6)
           returning user_id as "userId"`,
          [appId, userId ?? null, name, mobile, email, passwordHash, skip],
        );
        // Checked after the insert, which waits for a running delete of the same ID. Only then is the mark of that
        // delete visible.
        const erased = await tx.query(
          `delete from users u
            where app_id = $1 and user_id = $2
              and exists (select from erased_users e where e.app_id = u.app_id and e.user_id = u.user_id)
            returning user_id`,
          [appId, row?.userId],
        );
        return erased.length === 0 ? row?.userId : undefined;
      });
      if (createdId !== undefined) return createdId;
      if (userId !== undefined) return 'user_id';
    } catch (error) {
      const conflict = fieldByIndex[violatedIndex(error) ?? ''];
      if (!conflict) throw error;
      if (conflict !== 'user_id' || userId !== undefined) return conflict;
    }
  }
  throw noFreeNumberError();
}

/** Returns the user with a login name, or undefined if there is none or the user is disabled. */
export async function findLoginUser(db: HomeDb, appId: string, login: LoginName): Promise<LoginUser | undefined> {
  const [user] = await db.query<LoginUser>(
    `select now(), user_id as "userId", password_hash as "passwordHash", device_buckets as "deviceBuckets"
       from users
      where app_id = $1 and ${login.kind} = $2 and disabled_at is null`,
    [appId, login.kind === 'user_id' ? login.userId : login.text],
  );
  return user;
}

const USER_COLUMNS = `
  user_id as "userId", name, mobile, email, password_hash is not null as "hasPassword",
  disabled_at is not null as disabled, created_at as "createdAt"`;

export async function findUser(db: HomeDb, appId: string, login: LoginName): Promise<User | undefined> {
  const [user] = await db.query<User>(`select ${USER_COLUMNS} from users where app_id = $1 and ${login.kind} = $2`, [
    appId,
    login.kind === 'user_id' ? login.userId : login.text,
  ]);
  return user;
}

/** A user, and the field by which the user was found. */
export interface NamedUser extends User {
  readonly matched: 'user_id' | 'name' | 'mobile' | 'email' | 'alias';
}

/** Returns the users that have one of these values. */
export async function findNamedUsers(
  db: HomeDb,
  appId: string,
  values: {
    readonly userId: bigint | undefined;
    readonly name: string | undefined;
    readonly mobiles: readonly string[];
    readonly email: string | undefined;
    readonly alias: string;
  },
): Promise<NamedUser[]> {
  // Each condition uses a separate index.
  const conditions = ['user_id = $2', 'name = $3', 'mobile = any($4)', 'email = $5'];
  const selects = conditions.map(
    (condition) =>
      `select '${condition.split(' ')[0]}' as matched, ${USER_COLUMNS} from users where app_id = $1 and ${condition}`,
  );
  return db.query<NamedUser>(
    `${selects.join(' union all ')}
      union all
     select 'alias', ${USER_COLUMNS}
       from users
      where app_id = $1 and user_id = (select a.user_id from aliases a where a.app_id = $1 and a.alias = $6)`,
    [appId, values.userId ?? null, values.name ?? null, values.mobiles, values.email ?? null, values.alias],
  );
}

export async function findUsers(db: HomeDb, appId: string, after: bigint | null, limit: number): Promise<User[]> {
  return db.query<User>(
    `select ${USER_COLUMNS}
       from users
      where app_id = $1 and ($2::bigint is null or user_id > $2)
      order by user_id
      limit $3`,
    [appId, after, limit],
  );
}

/** Sets the given login names; null removes a login name. Returns the field whose value another user already has. */
export async function updateLoginNames(
  db: HomeDb,
  appId: string,
  userId: bigint,
  names: LoginNames,
): Promise<ConflictingField | undefined> {
  const columns = (['name', 'mobile', 'email'] as const).filter((column) => names[column] !== undefined);
  if (columns.length === 0) return undefined;
  try {
    await db.query(
      `update users set ${columns.map((column, i) => `${column} = $${i + 3}`).join(', ')} where app_id = $1 and user_id = $2`,
      [appId, userId, ...columns.map((column) => names[column])],
    );
    return undefined;
  } catch (error) {
    const conflict = fieldByIndex[violatedIndex(error) ?? ''];
    if (!conflict) throw error;
    return conflict;
  }
}

/**
 * Saves a stronger hash of the same password, without logging out any device. Changes nothing if the password has been
 * changed since.
 */
export async function savePasswordHash(
  db: HomeDb,
  appId: string,
  userId: bigint,
  oldHash: string,
  newHash: string,
): Promise<void> {
  await db.query('update users set password_hash = $4 where app_id = $1 and user_id = $2 and password_hash = $3', [
    appId,
    userId,
    oldHash,
    newHash,
  ]);
}

/**
 * An action that ends every login of a user. It is committed together with the revocation of the user's tokens.
 * `endUserLogins` returns false if the user does not exist.
 */
export type EndLoginsAction =
  | { readonly kind: 'kick' }
  | { readonly kind: 'disable' }
  | { readonly kind: 'password'; readonly passwordHash: string | null }
  | { readonly kind: 'delete' }
  /** Deletes the user, and records that a worker must remove the user from all other rows. */
  | { readonly kind: 'erase' };

export function endUserLogins(db: HomeDb, appId: string, userId: bigint, action: EndLoginsAction): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // A concurrent login waits for this lock, or has already committed its token, which is then visible.
    const lockedUsers = await tx.query('select from users where app_id = $1 and user_id = $2 for update', [
      appId,
      userId,
    ]);
    if (lockedUsers.length === 0) return false;
    if (action.kind === 'disable')
      await tx.query('update users set disabled_at = coalesce(disabled_at, now()) where app_id = $1 and user_id = $2', [
        appId,
        userId,
      ]);
    if (action.kind === 'password')
      await tx.query('update users set password_hash = $3 where app_id = $1 and user_id = $2', [
        appId,
        userId,
        action.passwordHash,
      ]);
    await revokeAllUserTokens(tx, appId, userId);
    if (action.kind === 'erase') await insertErasure(tx, { appId, userId });
    if (action.kind === 'delete' || action.kind === 'erase') {
      await tx.query(
        `insert into erased_users (app_id, user_id, device_buckets)
         select app_id, user_id, device_buckets from users where app_id = $1 and user_id = $2
         on conflict do nothing`,
        [appId, userId],
      );
      // The user's tokens, memberships and aliases are deleted by cascade.
      await tx.query('delete from users where app_id = $1 and user_id = $2', [appId, userId]);
    }
    return true;
  });
}

export interface PasswordChange {
  /** The hash that the old password was checked against. */
  readonly oldHash: string;
  readonly newHash: string;
}

/**
 * Changes the password of a user and revokes all other tokens of the user. Changes nothing and returns false if the
 * password has been changed since it was checked.
 */
export function changePassword(
  db: HomeDb,
  { appId, userId, tokenHash }: { appId: string; userId: bigint; tokenHash: Buffer },
  { oldHash, newHash }: PasswordChange,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Locks the row, as in `endUserLogins`.
    const changedUsers = await tx.query(
      `update users set password_hash = $4
        where app_id = $1 and user_id = $2 and password_hash = $3 and disabled_at is null
        returning user_id`,
      [appId, userId, oldHash, newHash],
    );
    if (changedUsers.length === 0) return false;
    await revokeOtherUserTokens(tx, appId, userId, tokenHash);
    return true;
  });
}

export async function enableUser(db: HomeDb, appId: string, userId: bigint): Promise<boolean> {
  const rows = await db.query(
    'update users set disabled_at = null where app_id = $1 and user_id = $2 returning user_id',
    [appId, userId],
  );
  return rows.length > 0;
}

export async function userExists(db: HomeDb, appId: string, userId: bigint): Promise<boolean> {
  const rows = await db.queryPrepared('select from users where app_id = $1 and user_id = $2 and disabled_at is null', [
    appId,
    userId,
  ]);
  return rows.length > 0;
}

/** Returns whether a user was deleted, so that a repeated deletion can finish an interrupted one. */
export async function wasErased(db: HomeDb, appId: string, userId: bigint): Promise<boolean> {
  const rows = await db.query('select from erased_users where app_id = $1 and user_id = $2', [appId, userId]);
  return rows.length > 0;
}
