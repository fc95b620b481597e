import type { GrantedRoles } from '#src/domain/operators/role-mapping.ts';
import { type HomeDb, inTransaction, violatedIndex } from '../database/database.ts';
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

/**
 * Creates or updates the operator of an identity, and replaces their roles. Apps that do not exist are skipped. Returns
 * the operator ID, or the reason why the operator cannot sign in.
 */
export async function saveOidcOperator(
  db: HomeDb,
  { issuer, subject, email, name }: OidcProfile,
  { isPlatform, roles }: GrantedRoles,
): Promise<bigint | 'email-in-use' | 'disabled'> {
  try {
    return await inTransaction(db, async (tx) => {
      const [row] = await tx.query<{ operatorId: bigint; isDisabled: boolean }>(
        `insert into operators (email, name, oidc_issuer, oidc_subject, is_platform) values ($1, $2, $3, $4, $5)
         on conflict (oidc_issuer, oidc_subject) do update
            set email = excluded.email, name = excluded.name, is_platform = excluded.is_platform
         returning operator_id as "operatorId", disabled_at is not null as "isDisabled"`,
        [email, name, issuer, subject, isPlatform],
      );
      const { operatorId, isDisabled } = row as { operatorId: bigint; isDisabled: boolean };
      await deleteRoles(tx, operatorId);
      await tx.query(
        `insert into operator_roles (operator_id, app_id, role)
         select $1, a.app_id, r.role
           from unnest($2::text[], $3::text[]) as r (app_id, role) join apps a on a.app_id = r.app_id`,
        [operatorId, [...roles.keys()], [...roles.values()]],
      );
      return isDisabled ? 'disabled' : operatorId;
    });
  } catch (error) {
    if (violatedIndex(error) === 'operators_by_email') return 'email-in-use';
    throw error;
  }
}

/** Removes all rights of an identity that has no group with a role, and ends the sessions. */
export function removeOidcRights(db: HomeDb, { issuer, subject }: OidcIdentity): Promise<void> {
  return inTransaction(db, async (tx) => {
    const [row] = await tx.query<{ operatorId: bigint }>(
      `update operators set is_platform = false where oidc_issuer = $1 and oidc_subject = $2
        returning operator_id as "operatorId"`,
      [issuer, subject],
    );
    if (!row) return;
    await deleteRoles(tx, row.operatorId);
    await endSessions(tx, row.operatorId);
  });
}

async function deleteRoles(tx: HomeDb, operatorId: bigint): Promise<void> {
  await tx.query(
    `delete from operator_roles
      where operator_id = $1
        and app_id in (select app_id from operator_roles where operator_id = $1 order by app_id for update)`,
    [operatorId],
  );
}
