import { Problem } from '#src/domain/problem.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findRoles, type Operator } from '#src/storage/operators/operators.ts';
import { APPS_MAX } from './session-record.ts';

/** Returns operators as they appear in responses, with their roles. */
export async function toOperatorRecords(db: HomeDb, operators: readonly Operator[]) {
  const roles = await findRoles(
    db,
    operators.map(({ operatorId }) => operatorId),
    APPS_MAX,
  );
  return operators.map(({ operatorId, email, name, isPlatform, oidcIssuer, disabled, createdAt }) => ({
    operator_id: operatorId,
    email,
    name,
    is_platform: isPlatform,
    sign_in: oidcIssuer === null ? ('password' as const) : ('oidc' as const),
    disabled,
    created_at: BigInt(createdAt.getTime()),
    apps: (roles.get(operatorId) ?? []).map(({ appId, appName, role }) => ({ app_id: appId, name: appName, role })),
  }));
}

/** Returns one operator as in responses. */
export async function toOperatorRecord(db: HomeDb, operator: Operator) {
  const [record] = await toOperatorRecords(db, [operator]);
  return record as NonNullable<typeof record>;
}

export const noSuchOperator = (operatorId: bigint): Problem =>
  new Problem('bad-parameter', `Operator ${operatorId} does not exist.`);

export const emailInUse = (): Problem => new Problem('already-exists', 'Another operator already has this email.');
