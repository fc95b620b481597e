import { operatorRoleSet } from '#src/contract/operator/role/set.ts';
import { Problem } from '#src/domain/problem.ts';
import { findApp } from '#src/storage/accounts/apps.ts';
import { findOperator, setRole } from '#src/storage/operators/operators.ts';
import type { Route } from '../../../context.ts';
import { noSuchOperator } from '../../../operators/operator-record.ts';

export const operatorRoleSetRoute: Route<typeof operatorRoleSet> = {
  operation: operatorRoleSet,
  handle: async ({ storage: { home }, clearAuthCache }, { body }) => {
    const { operator_id: operatorId, app_id: appId, role = null } = body;
    if (!(await findOperator(home, operatorId))) throw noSuchOperator(operatorId);
    // A role in a disabled app can be removed, because it would have an effect again when the app is enabled.
    if (role !== null && !(await findApp(home, appId))) throw new Problem('unknown-app');
    await setRole(home, operatorId, appId, role);
    clearAuthCache();
    return {};
  },
};
