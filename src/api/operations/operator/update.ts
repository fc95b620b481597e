import { operatorUpdate } from '#src/contract/operator/update.ts';
import { Problem } from '#src/domain/problem.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { findOperator, updateOperator } from '#src/storage/operators/operators.ts';
import type { Route } from '../../context.ts';
import { readOperatorEmail, requireStrongOperatorPassword } from '../../operators/operator-fields.ts';
import { emailInUse, noSuchOperator, toOperatorRecord } from '../../operators/operator-record.ts';

export const operatorUpdateRoute: Route<typeof operatorUpdate> = {
  operation: operatorUpdate,
  handle: async ({ storage: { home }, clearAuthCache }, { body, token }) => {
    const { operator_id: operatorId, name, password, is_platform: isPlatform } = body;
    const operator = await findOperator(home, operatorId);
    if (!operator) throw noSuchOperator(operatorId);
    if (isPlatform === false && token.kind === 'operator' && token.operatorId === operatorId)
      throw new Problem('no-permission', 'You cannot remove your own platform role. Ask another platform operator.');
    const email = body.email === undefined ? undefined : readOperatorEmail(body.email);
    if (password !== undefined) {
      if (operator.oidcIssuer !== null)
        throw new Problem('bad-parameter', 'This operator signs in with OpenID Connect and cannot have a password.');
      requireStrongOperatorPassword(password, [email ?? operator.email, name ?? operator.name]);
    }
    const changed = await updateOperator(home, operatorId, {
      ...(email !== undefined && { email }),
      ...(name !== undefined && { name }),
      ...(isPlatform !== undefined && { isPlatform }),
      ...(password !== undefined && { passwordHash: await hashPassword(password) }),
    });
    clearAuthCache();
    if (!changed) throw noSuchOperator(operatorId);
    if (changed === 'email-in-use') throw emailInUse();
    return toOperatorRecord(home, changed);
  },
};
