import type { OperatorRole } from '#src/domain/operators/operator-role.ts';
import type { GrantedRoles } from '#src/domain/operators/role-mapping.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { type HomeDb, inTransaction, violatedIndex } from '../database/database.ts';
import { type AuditEntry, insertAuditEntry, NO_TOKEN_ID } from '../users/audit.ts';
import { endSessions } from './operator-sessions.ts';

/** An operator as the identity provider describes them. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface OidcProfile extends OidcIdentity {
  readonly email: string;
  readonly name: string;
}

/** The request of a sign-in, as audit entries name it. */
export type SignInRequest = Pick<AuditEntry, 'operation' | 'address'>;

/**
 * Creates or updates the operator of an identity, and replaces their roles. Apps that do not exist are skipped. Returns
 * the operator ID, or the reason why the operator cannot sign in.
 */
export async function saveOidcOperator(
  db: HomeDb,
  profile: OidcProfile,
  granted: GrantedRoles,
  request: SignInRequest,
): Promise<bigint | 'email-in-use' | 'disabled'> {
  const { issuer, subject, email, name } = profile;
  try {
    return await inTransaction(db, async (tx) => {
      const created = await tx.query(
        `insert into operators (email, name, oidc_issuer, oidc_subject) values ($1, $2, $3, $4)
         on conflict (oidc_issuer, oidc_subject) do nothing
         returning 1`,
        [email, name, issuer, subject],
      );
      const operator = (await lockOperator(tx, profile)) as LockedOperator;
      const { operatorId, isDisabled } = operator;
      const changes = {
        ...(created.length > 0 && { created: true }),
        ...(email !== operator.email && { email }),
        ...(name !== operator.name && { name }),
      };
      await tx.query('update operators set email = $2, name = $3 where operator_id = $1', [operatorId, email, name]);
      await replaceRights(tx, { ...operator, email, changes }, granted, request);
      return isDisabled ? 'disabled' : operatorId;
    });
  } catch (error) {
    if (violatedIndex(error) === 'operators_by_email') return 'email-in-use';
    throw error;
  }
}

/** Removes all rights of an identity that has no group with a role, and ends the sessions. */
export function removeOidcRights(db: HomeDb, identity: OidcIdentity, request: SignInRequest): Promise<void> {
  return inTransaction(db, async (tx) => {
    const operator = await lockOperator(tx, identity);
    if (!operator) return;
    await endSessions(tx, operator.operatorId);
    await replaceRights(tx, { ...operator, changes: {} }, { isPlatform: false, roles: new Map() }, request);
  });
}

interface LockedOperator {
  readonly operatorId: bigint;
  readonly email: string;
  readonly name: string;
  readonly isPlatform: boolean;
  readonly isDisabled: boolean;
}

/** The changes of a sign-in other than the rights. Unchanged fields are missing. */
interface ProfileChanges {
  readonly created?: boolean;
  readonly email?: string;
  readonly name?: string;
}

/** Locks the operator until the end of the transaction, so that sign-ins at the same time replace the rights in turn. */
async function lockOperator(tx: HomeDb, { issuer, subject }: OidcIdentity): Promise<LockedOperator | undefined> {
  const [operator] = await tx.query<LockedOperator>(
    `select operator_id as "operatorId", email, name, is_platform as "isPlatform",
            disabled_at is not null as "isDisabled"
       from operators
      where oidc_issuer = $1 and oidc_subject = $2
        for update`,
    [issuer, subject],
  );
  return operator;
}

/**
 * Replaces the rights of a locked operator. If they or the profile change, the transaction also records the new values
 * in the audit log. Calls are recorded before they run, but only this transaction knows whether a sign-in changes
 * anything.
 */
async function replaceRights(
  tx: HomeDb,
  operator: LockedOperator & { readonly changes: ProfileChanges },
  { isPlatform, roles }: GrantedRoles,
  { operation, address }: SignInRequest,
): Promise<void> {
  const { operatorId, email, changes } = operator;
  await tx.query('update operators set is_platform = $2 where operator_id = $1', [operatorId, isPlatform]);
  const earlierRoles = await tx.query<StoredRole>(
    `delete from operator_roles
      where operator_id = $1
        and app_id in (select app_id from operator_roles where operator_id = $1 order by app_id for update)
      returning app_id as "appId", role`,
    [operatorId],
  );
  const newRoles = await tx.query<StoredRole>(
    `insert into operator_roles (operator_id, app_id, role)
     select $1, a.app_id, r.role
       from unnest($2::text[], $3::text[]) as r (app_id, role) join apps a on a.app_id = r.app_id
     returning app_id as "appId", role`,
    [operatorId, [...roles.keys()], [...roles.values()]],
  );
  const earlierRights = rightsOf(operator.isPlatform, earlierRoles);
  const newRights = rightsOf(isPlatform, newRoles);
  const hasNewRights = changes.created === true || stringifyJson(earlierRights) !== stringifyJson(newRights);
  if (!hasNewRights && Object.keys(changes).length === 0) return;
  await insertAuditEntry(tx, {
    appId: null,
    tokenId: NO_TOKEN_ID,
    tokenName: email,
    operatorId,
    operation,
    detail: stringifyJson({ operator_id: operatorId, ...changes, ...(hasNewRights && newRights) }),
    address,
    resultOf: null,
  });
}

interface StoredRole {
  readonly appId: string;
  readonly role: OperatorRole;
}

/** Returns rights as audit entries contain them. Roles have the form of `CARILLON_OIDC_ROLE_MAPPING`: `sender@shop`. */
const rightsOf = (isPlatform: boolean, roles: readonly StoredRole[]) => ({
  is_platform: isPlatform,
  roles: roles.map(({ appId, role }) => `${role}@${appId}`).sort(),
});
