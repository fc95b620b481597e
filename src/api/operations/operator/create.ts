import { operatorCreate } from '#src/contract/operator/create.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { findOperator, insertOperator, type Operator } from '#src/storage/operators/operators.ts';
import type { Route } from '../../context.ts';
import { readOperatorEmail, requireStrongOperatorPassword } from '../../operators/operator-fields.ts';
import { emailInUse, toOperatorRecord } from '../../operators/operator-record.ts';

export const operatorCreateRoute: Route<typeof operatorCreate> = {
  operation: operatorCreate,
  handle: async ({ storage: { home } }, { body }) => {
    const { name, password, is_platform: isPlatform = false } = body;
    const email = readOperatorEmail(body.email);
    requireStrongOperatorPassword(password, [email, name]);
    const passwordHash = await hashPassword(password);
    const operatorId = await insertOperator(home, { email, name, passwordHash, isPlatform });
    if (operatorId === undefined) throw emailInUse();
    return toOperatorRecord(home, (await findOperator(home, operatorId)) as Operator);
  },
};
