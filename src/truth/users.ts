import type { HomeDb } from './database.ts';

export interface NewUser {
  readonly appId: string;
  readonly name?: string;
  readonly mobile?: string;
  readonly email?: string;
  readonly passwordHash: string;
}

/** A person as a login needs them. */
export interface LoginUser {
  /** The home database's time. */
  readonly now: Date;
  readonly userId: bigint;
  readonly passwordHash: string | null;
}

/** What a person may log in with. */
export type LoginName =
  | { readonly kind: 'user_id'; readonly userId: bigint }
  | { readonly kind: 'name' | 'mobile' | 'email'; readonly text: string };

export async function insertUser(db: HomeDb, user: NewUser): Promise<bigint> {
  const [row] = await db.query<{ userId: bigint }>(
    `insert into users (app_id, user_id, name, mobile, email, password_hash)
     values ($1, nextval('user_numbers'), $2, $3, $4, $5)
     returning user_id as "userId"`,
    [user.appId, user.name ?? null, user.mobile ?? null, user.email ?? null, user.passwordHash],
  );
  return (row as { userId: bigint }).userId;
}

/** The person behind a login name, unless disabled. */
export async function findLoginUser(db: HomeDb, appId: string, login: LoginName): Promise<LoginUser | undefined> {
  const column = login.kind === 'user_id' ? 'user_id' : login.kind;
  const [user] = await db.query<LoginUser>(
    `select now(), user_id as "userId", password_hash as "passwordHash"
       from users
      where app_id = $1 and ${column} = $2 and disabled_at is null`,
    [appId, login.kind === 'user_id' ? login.userId : login.text],
  );
  return user;
}

export async function savePasswordHash(db: HomeDb, appId: string, userId: bigint, hash: string): Promise<void> {
  await db.query('update users set password_hash = $3 where app_id = $1 and user_id = $2', [appId, userId, hash]);
}

export async function userExists(db: HomeDb, appId: string, userId: bigint): Promise<boolean> {
  const rows = await db.query('select from users where app_id = $1 and user_id = $2 and disabled_at is null', [
    appId,
    userId,
  ]);
  return rows.length > 0;
}
