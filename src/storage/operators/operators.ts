import type { OperatorRole } from '#src/domain/operators/operator-role.ts';
import { type HomeDb, inTransaction, violatedIndex } from '../database/database.ts';
import { endSessions } from './operator-sessions.ts';

export interface OperatorRoleRow {
  readonly appId: string;
  readonly appName: string;
  readonly role: OperatorRole;
}

export interface Operator {
  readonly operatorId: bigint;
  readonly email: string;
  readonly name: string;
  readonly isPlatform: boolean;
  readonly hasPassword: boolean;
  /** Null if the operator does not sign in with OpenID Connect. */
  readonly oidcIssuer: string | null;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

const OPERATOR_COLUMNS = `
  operator_id as "operatorId", email, name, is_platform as "isPlatform", password_hash is not null as "hasPassword",
  oidc_issuer as "oidcIssuer", disabled_at is not null as disabled, created_at as "createdAt"`;

export interface NewOperator {
  /** In the form of `emailOf`. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isPlatform: boolean;
}

/** Returns the ID of the new operator, or undefined if another operator has the email address. */
export async function insertOperator(db: HomeDb, operator: NewOperator): Promise<bigint | undefined> {
  const [row] = await db.query<{ operatorId: bigint }>(
    `insert into operators (email, name, password_hash, is_platform) values ($1, $2, $3, $4)
     on conflict do nothing
     returning operator_id as "operatorId"`,
    [operator.email, operator.name, operator.passwordHash, operator.isPlatform],
  );
  return row?.operatorId;
}

export async function findOperator(db: HomeDb, operatorId: bigint): Promise<Operator | undefined> {
  const [operator] = await db.query<Operator>(`select ${OPERATOR_COLUMNS} from operators where operator_id = $1`, [
    operatorId,
  ]);
  return operator;
}

export async function findOperatorByEmail(db: HomeDb, email: string): Promise<Operator | undefined> {
  const [operator] = await db.query<Operator>(
    `select ${OPERATOR_COLUMNS} from operators where lower(email) = lower($1)`,
    [email],
  );
  return operator;
}

/** Returns the operators after an ID, in the order of their IDs. */
export async function findOperators(db: HomeDb, after: bigint | null, limit: number): Promise<Operator[]> {
  return db.query<Operator>(
    `select ${OPERATOR_COLUMNS} from operators where operator_id > coalesce($1::bigint, 0) order by operator_id limit $2`,
    [after, limit],
  );
}

/**
 * Returns up to `limit` roles of each operator, by operator, in the order of the apps. Roles in disabled apps are
 * included.
 */
export async function findRoles(
  db: HomeDb,
  operatorIds: readonly bigint[],
  limit: number,
): Promise<ReadonlyMap<bigint, OperatorRoleRow[]>> {
  const rows = await db.query<OperatorRoleRow & { operatorId: bigint }>(
    `select o.operator_id as "operatorId", r.app_id as "appId", a.name as "appName", r.role
       from unnest($1::bigint[]) as o (operator_id)
      cross join lateral (select app_id, role from operator_roles
                           where operator_id = o.operator_id order by app_id limit $2) as r
       join apps a on a.app_id = r.app_id
      order by r.app_id`,
    [operatorIds, limit],
  );
  return Map.groupBy(rows, ({ operatorId }) => operatorId);
}

/** Returns the roles of an operator in enabled apps, by app ID. */
export function findEnabledRoles(db: HomeDb, operatorId: bigint, limit: number): Promise<OperatorRoleRow[]> {
  return db.query<OperatorRoleRow>(
    `select r.app_id as "appId", a.name as "appName", r.role
       from operator_roles r join apps a on a.app_id = r.app_id
      where r.operator_id = $1 and a.disabled_at is null
      order by r.app_id
      limit $2`,
    [operatorId, limit],
  );
}

/** Returns the roles of a platform operator, who is an admin of every enabled app. */
export function findAllRoles(db: HomeDb, limit: number): Promise<OperatorRoleRow[]> {
  return db.query<OperatorRoleRow>(
    `select app_id as "appId", name as "appName", 'admin' as role
       from apps where disabled_at is null order by app_id limit $1`,
    [limit],
  );
}

export interface OperatorChanges {
  readonly email?: string;
  readonly name?: string;
  readonly isPlatform?: boolean;
  /** A new password also ends the sessions of the operator. */
  readonly passwordHash?: string;
}

/** Updates the given fields. Returns the operator, or the reason why nothing was changed. */
export async function updateOperator(
  db: HomeDb,
  operatorId: bigint,
  { email, name, isPlatform, passwordHash }: OperatorChanges,
): Promise<Operator | 'email-in-use' | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      const [operator] = await tx.query<Operator>(
        `update operators
            set email = coalesce($2, email), name = coalesce($3, name), is_platform = coalesce($4, is_platform),
                password_hash = coalesce($5, password_hash)
          where operator_id = $1
          returning ${OPERATOR_COLUMNS}`,
        [operatorId, email ?? null, name ?? null, isPlatform ?? null, passwordHash ?? null],
      );
      if (operator && passwordHash !== undefined) await endSessions(tx, operatorId);
      return operator;
    });
  } catch (error) {
    if (violatedIndex(error) === 'operators_by_email') return 'email-in-use';
    throw error;
  }
}

/** Disables an operator and ends their sessions, or enables them. Returns false if there is no such operator. */
export function setOperatorDisabled(db: HomeDb, operatorId: bigint, isDisabled: boolean): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.query(
      `update operators set disabled_at = case when $2 then coalesce(disabled_at, now()) end
        where operator_id = $1
        returning 1`,
      [operatorId, isDisabled],
    );
    if (isDisabled) await endSessions(tx, operatorId);
    return rows.length > 0;
  });
}

/** Gives an operator a role in an app, or removes it if `role` is null. The operator and the app must exist. */
export async function setRole(db: HomeDb, operatorId: bigint, appId: string, role: OperatorRole | null): Promise<void> {
  if (role === null)
    await db.query('delete from operator_roles where operator_id = $1 and app_id = $2', [operatorId, appId]);
  else
    await db.query(
      `insert into operator_roles (operator_id, app_id, role) values ($1, $2, $3)
       on conflict (operator_id, app_id) do update set role = excluded.role`,
      [operatorId, appId, role],
    );
}

/** Replaces the hash of a password that is still the same. `keptSession` stays valid, and all other sessions end. */
export function changeOwnPassword(
  db: HomeDb,
  { operatorId, sessionHash }: { readonly operatorId: bigint; readonly sessionHash: Buffer },
  { oldHash, newHash }: { readonly oldHash: string; readonly newHash: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.query(
      'update operators set password_hash = $3 where operator_id = $1 and password_hash = $2 returning 1',
      [operatorId, oldHash, newHash],
    );
    if (rows.length > 0) await endSessions(tx, operatorId, sessionHash);
    return rows.length > 0;
  });
}

/** Returns the password hash of an operator who can sign in with a password. */
export async function findLoginOperator(
  db: HomeDb,
  email: string,
): Promise<{ readonly operatorId: bigint; readonly passwordHash: string } | undefined> {
  const [row] = await db.query<{ operatorId: bigint; passwordHash: string }>(
    `select operator_id as "operatorId", password_hash as "passwordHash"
       from operators
      where lower(email) = lower($1) and disabled_at is null and password_hash is not null`,
    [email],
  );
  return row;
}
