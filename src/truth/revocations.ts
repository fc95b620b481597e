import { type HomeDb, inTransaction } from './database.ts';
import { hashToken } from './tokens.ts';

/** Something that ended early: one token, or every token a user had until then. */
export interface Revocation {
  readonly appId: string;
  readonly userId: bigint | null;
  readonly tokenHash: Buffer | null;
  readonly at: Date;
}

/** Ends every token of a user, and so every session. */
export function revokeUser(db: HomeDb, appId: string, userId: bigint): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.query('delete from user_tokens where app_id = $1 and user_id = $2', [appId, userId]);
    await tx.query('insert into revocations (app_id, user_id) values ($1, $2)', [appId, userId]);
  });
}

/** Ends one token of a user. */
export function revokeUserToken(db: HomeDb, appId: string, token: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.query('delete from user_tokens where app_id = $1 and token_hash = $2', [appId, hashToken(token)]);
    await tx.query('insert into revocations (app_id, token_hash) values ($1, $2)', [appId, hashToken(token)]);
  });
}

export async function revokeAdminToken(db: HomeDb, appId: string, token: string): Promise<void> {
  await db.query('update admin_tokens set revoked_at = now() where app_id = $1 and token_hash = $2', [
    appId,
    hashToken(token),
  ]);
}

/**
 * What was revoked since, and a little before: a transaction that was still open at the last look committed with an
 * earlier time.
 */
export async function findRevocations(db: HomeDb, since: Date): Promise<{ now: Date; revocations: Revocation[] }> {
  const rows = await db.query<Revocation & { now: Date }>(
    `select clock_timestamp() as now, app_id as "appId", user_id as "userId", token_hash as "tokenHash", at
       from revocations
      where at > $1::timestamptz - interval '15 s'
      union all
     select clock_timestamp(), null, null, null, null`,
    [since],
  );
  const { now } = rows.at(-1) as { now: Date };
  return { now, revocations: rows.slice(0, -1) };
}

/** They are kept for a day. */
export async function forgetOldRevocations(db: HomeDb): Promise<void> {
  await db.query(`delete from revocations where at < now() - interval '1 day'`);
}
