import type { HomeDb } from '../database/database.ts';

/**
 * A revocation of one token, of every token that a user had until then, of every access token that an admin token
 * created, or, if none of them is set, of a whole app.
 */
export interface Revocation {
  readonly appId: string;
  readonly userId: bigint | null;
  readonly tokenHash: Buffer | null;
  readonly parent: bigint | null;
  readonly at: Date;
}

/**
 * Revokes every token of a user, which ends every session. Must run in a transaction that has locked the user's row.
 */
export async function revokeAllUserTokens(tx: HomeDb, appId: string, userId: bigint): Promise<void> {
  await tx.query(
    `with gone as (
       select token_hash from user_tokens where app_id = $1 and user_id = $2 order by token_hash for update
     )
     delete from user_tokens t using gone g where t.token_hash = g.token_hash`,
    [appId, userId],
  );
  await tx.query('insert into revocations (app_id, user_id) values ($1, $2)', [appId, userId]);
}

/** Revokes every token of a user except one. Must run in a transaction that has locked the user's row. */
export async function revokeOtherUserTokens(
  tx: HomeDb,
  appId: string,
  userId: bigint,
  keptTokenHash: Buffer,
): Promise<void> {
  await tx.query(
    `with locked as (
       select token_hash from user_tokens
        where app_id = $1 and user_id = $2 and token_hash <> $3
        order by token_hash
          for update
     ), gone as (
       delete from user_tokens t using locked l where t.token_hash = l.token_hash returning t.app_id, t.token_hash
     )
     insert into revocations (app_id, token_hash) select app_id, token_hash from gone`,
    [appId, userId, keptTokenHash],
  );
}

export async function revokeUserToken(db: HomeDb, appId: string, tokenHash: Buffer): Promise<void> {
  await db.query(
    `with gone as (delete from user_tokens where app_id = $1 and token_hash = $2)
     insert into revocations (app_id, token_hash) values ($1, $2)`,
    [appId, tokenHash],
  );
}

/**
 * A device and one of its generations. A revocation covers all tokens that were issued for the device up to this
 * generation.
 */
export interface DeviceGeneration {
  readonly deviceId: bigint;
  readonly generation: number;
}

/** Revokes the tokens that were issued for devices up to these generations. Returns false if there were none. */
export async function revokeDeviceTokens(db: HomeDb, devices: readonly DeviceGeneration[]): Promise<boolean> {
  const revoked = await db.query(
    `with locked as (
       select t.token_hash
         from user_tokens t
         join unnest($1::bigint[], $2::int[]) as d (device_id, generation)
           on t.device_id = d.device_id and t.generation <= d.generation
        order by t.token_hash
          for update of t
     ), gone as (
       delete from user_tokens t using locked l where t.token_hash = l.token_hash returning t.app_id, t.token_hash
     )
     insert into revocations (app_id, token_hash) select app_id, token_hash from gone returning number`,
    [devices.map(({ deviceId }) => deviceId), devices.map(({ generation }) => generation)],
  );
  return revoked.length > 0;
}

/**
 * Returns the revocations since the given time and shortly before it. A transaction that was open during the last poll
 * may have committed with an earlier time.
 */
export async function findRevocations(db: HomeDb, since: Date): Promise<{ now: Date; revocations: Revocation[] }> {
  const rows = await db.query<Revocation & { now: Date }>(
    `select clock_timestamp() as now, app_id as "appId", user_id as "userId", token_hash as "tokenHash", parent, at
       from revocations
      where at > $1::timestamptz - interval '15 s'
      union all
     select clock_timestamp(), null, null, null, null, null`,
    [since],
  );
  const { now } = rows.at(-1) as { now: Date };
  return { now, revocations: rows.slice(0, -1) };
}

/** Deletes up to `limit` revocations that are older than a day. Returns the number of deleted rows. */
export async function deleteOldRevocations(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from revocations
      where number in (select number from revocations
                        where at < now() - interval '1 day'
                        limit $1
                          for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
