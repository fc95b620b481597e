import { operatorEnable } from '#src/contract/operator/enable.ts';
import { setOperatorDisabled } from '#src/storage/operators/operators.ts';
import type { Route } from '../../context.ts';
import { noSuchOperator } from '../../operators/operator-record.ts';

export const operatorEnableRoute: Route<typeof operatorEnable> = {
  operation: operatorEnable,
  handle: async ({ storage }, { body }) => {
    if (!(await setOperatorDisabled(storage.home, body.operator_id, false))) throw noSuchOperator(body.operator_id);
    return {};
  },
};
