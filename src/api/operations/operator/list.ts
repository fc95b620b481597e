import { operatorList } from '#src/contract/operator/list.ts';
import { findOperators } from '#src/storage/operators/operators.ts';
import type { Route } from '../../context.ts';
import { toOperatorRecords } from '../../operators/operator-record.ts';
import { readPage } from '../../records/page.ts';

export const operatorListRoute: Route<typeof operatorList> = {
  operation: operatorList,
  handle: async ({ storage: { home } }, { body }) => {
    const read = (after: bigint | null, limit: number) => findOperators(home, after, limit);
    const { list, next } = await readPage(body, read, ({ operatorId }) => operatorId);
    return { list: await toOperatorRecords(home, list), next };
  },
};
