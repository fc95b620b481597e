import { createHash } from 'node:crypto';
import type { OperatorRole } from '#src/domain/operators/operator-role.ts';
import { type HomeDb, inTransaction } from '../database/database.ts';

/** A session ends after this time, and earlier if it is not used. */
const SESSION_HOURS = 12;
const IDLE_HOURS = 2;
/** More sessions than an operator needs. A further sign-in ends the oldest. */
const SESSIONS_PER_OPERATOR_MAX = 50;

const IS_LIVE = `s.expires_at > now() and s.last_used_at > now() - interval '${IDLE_HOURS} hours'`;

/** Hashes a session ID. Only the hash is stored, so that reading the table does not reveal a usable session. */
export const hashSessionId = (sessionId: string): Buffer => createHash('sha256').update(sessionId).digest();

export interface OperatorSession {
  readonly sessionHash: Buffer;
  readonly operatorId: bigint;
  readonly email: string;
  readonly name: string;
  readonly isPlatform: boolean;
  readonly roles: ReadonlyMap<string, OperatorRole>;
  readonly expiresAt: Date;
}

export interface NewSession {
  readonly operatorId: bigint;
  readonly address: string;
  readonly userAgent: string;
  /** The hash that the password was checked against, which must still be the same. Null without a password. */
  readonly passwordHash: string | null;
}

/** Stores a session. Returns false if the operator was disabled or got another password since the check. */
export function insertSession(
  db: HomeDb,
  sessionId: string,
  { operatorId, address, userAgent, passwordHash }: NewSession,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const active = await tx.query(
      `select from operators
        where operator_id = $1 and disabled_at is null and ($2::text is null or password_hash = $2)
          for update`,
      [operatorId, passwordHash],
    );
    if (active.length === 0) return false;
    await tx.query(
      `delete from operator_sessions
        where session_hash in (select session_hash from operator_sessions
                                where operator_id = $1
                                  and session_hash not in (select session_hash from operator_sessions
                                                            where operator_id = $1
                                                            order by created_at desc
                                                            limit ${SESSIONS_PER_OPERATOR_MAX - 1})
                                order by session_hash
                                  for update)`,
      [operatorId],
    );
    await tx.query(
      `insert into operator_sessions (session_hash, operator_id, expires_at, address, user_agent)
       values ($1, $2, now() + interval '${SESSION_HOURS} hours', $3, $4)`,
      [hashSessionId(sessionId), operatorId, address, userAgent],
    );
    return true;
  });
}

interface StoredSession extends Omit<OperatorSession, 'roles'> {
  readonly appIds: readonly string[];
  readonly appRoles: readonly OperatorRole[];
  readonly isStale: boolean;
}

/** Returns a session that is still valid, and records its use at most once a minute. */
export async function findSession(db: HomeDb, sessionId: string): Promise<OperatorSession | undefined> {
  const [row] = await db.queryPrepared<StoredSession>(
    `select s.session_hash as "sessionHash", o.operator_id as "operatorId", o.email, o.name,
            o.is_platform as "isPlatform", s.expires_at as "expiresAt",
            s.last_used_at < now() - interval '1 minute' as "isStale",
            array(select app_id from operator_roles r where r.operator_id = o.operator_id order by app_id) as "appIds",
            array(select role from operator_roles r where r.operator_id = o.operator_id order by app_id) as "appRoles"
       from operator_sessions s join operators o on o.operator_id = s.operator_id
      where s.session_hash = $1 and o.disabled_at is null and ${IS_LIVE}`,
    [hashSessionId(sessionId)],
  );
  if (!row) return undefined;
  const { appIds, appRoles, isStale, ...session } = row;
  if (isStale)
    await db.query(
      `update operator_sessions set last_used_at = now()
        where session_hash = $1 and last_used_at < now() - interval '1 minute'`,
      [session.sessionHash],
    );
  return { ...session, roles: new Map(appIds.map((appId, i) => [appId, appRoles[i] as OperatorRole])) };
}

export interface ListedSession {
  readonly sessionHash: Buffer;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string;
}

/** Returns the live sessions of an operator, the latest first. There are at most 50. */
export async function findSessions(db: HomeDb, operatorId: bigint): Promise<ListedSession[]> {
  return db.query<ListedSession>(
    `select session_hash as "sessionHash", created_at as "createdAt", last_used_at as "lastUsedAt",
            expires_at as "expiresAt", address, user_agent as "userAgent"
       from operator_sessions s
      where operator_id = $1 and ${IS_LIVE}
      order by created_at desc, session_hash`,
    [operatorId],
  );
}

export async function endSession(db: HomeDb, sessionHash: Buffer): Promise<void> {
  await db.query('delete from operator_sessions where session_hash = $1', [sessionHash]);
}

/** Ends the sessions of an operator, except one if it is given. */
export async function endSessions(db: HomeDb, operatorId: bigint, keptSession?: Buffer): Promise<void> {
  await db.query(
    `delete from operator_sessions
      where session_hash in (select session_hash from operator_sessions
                              where operator_id = $1 and session_hash is distinct from $2
                              order by session_hash
                                for update)`,
    [operatorId, keptSession ?? null],
  );
}

/** Ends the sessions of all operators. Returns their number, which is at most 50 per operator. */
export async function endAllSessions(db: HomeDb): Promise<number> {
  const ended = await db.query(
    `delete from operator_sessions
      where session_hash in (select session_hash from operator_sessions order by session_hash for update)
      returning 1`,
  );
  return ended.length;
}

/** Deletes up to `limit` sessions that have ended. Returns the number of deleted rows. */
export async function deleteEndedSessions(db: HomeDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from operator_sessions
      where session_hash in (select session_hash from operator_sessions
                              where expires_at < now() or last_used_at < now() - interval '${IDLE_HOURS} hours'
                              limit $1
                                for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
