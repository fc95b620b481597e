import { operatorDisable } from '#src/contract/operator/disable.ts';
import { Problem } from '#src/domain/problem.ts';
import { setOperatorDisabled } from '#src/storage/operators/operators.ts';
import type { Route } from '../../context.ts';
import { noSuchOperator } from '../../operators/operator-record.ts';

export const operatorDisableRoute: Route<typeof operatorDisable> = {
  operation: operatorDisable,
  handle: async ({ storage, clearAuthCache }, { body, token }) => {
    if (token.kind === 'operator' && token.operatorId === body.operator_id)
      throw new Problem('no-permission', 'You cannot disable yourself. Ask another platform operator.');
    if (!(await setOperatorDisabled(storage.home, body.operator_id, true))) throw noSuchOperator(body.operator_id);
    clearAuthCache();
    return {};
  },
};
