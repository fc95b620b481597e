import { operatorPassword } from '#src/contract/operator/password.ts';
import { Problem } from '#src/domain/problem.ts';
import { hashPassword, verifyPassword } from '#src/foundation/threads/password.ts';
import { changeOwnPassword, findLoginOperator } from '#src/storage/operators/operators.ts';
import { refundPoints } from '#src/storage/users/rate-limits.ts';
import type { Route } from '../../context.ts';
import { requireStrongOperatorPassword } from '../../operators/operator-fields.ts';
import { takeOperatorPoints } from '../../operators/operator-limits.ts';

export const operatorPasswordRoute: Route<typeof operatorPassword> = {
  operation: operatorPassword,
  handle: async (context, request) => {
    const { session, body } = request;
    const { home } = context.storage;
    requireStrongOperatorPassword(body.password, [session.email, session.name]);
    const limitKeys = await takeOperatorPoints(context, request, { operatorId: session.operatorId });
    const operator = await findLoginOperator(home, session.email);
    if (!operator) throw new Problem('no-permission', 'Change the password at your identity provider.');
    const { passwordHash: oldHash } = operator;
    const isChanged =
      (await verifyPassword(body.old_password, oldHash)) &&
      (await changeOwnPassword(home, session, { oldHash, newHash: await hashPassword(body.password) }));
    if (!isChanged) throw new Problem('login-refused', 'Check old_password.');
    await refundPoints(home, limitKeys);
    context.clearAuthCache();
    return {};
  },
};
