import { userPassword } from '#src/contract/user/password.ts';
import { Problem } from '#src/domain/problem.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { hashPassword, verifyPassword } from '#src/foundation/threads/password.ts';
import { insertAuditEntry, NO_TOKEN_ID } from '#src/storage/users/audit.ts';
import { refundPoints } from '#src/storage/users/rate-limits.ts';
import { findLoginUser } from '#src/storage/users/users.ts';
import type { Route } from '../../context.ts';
import { endOtherLogins } from '../../logins/end-logins.ts';
import { limitLogins, takePasswordPoints } from '../../logins/login-limits.ts';
import { requireStrongPasswordOf } from '../../logins/new-password.ts';

export const userPasswordRoute: Route<typeof userPassword> = {
  operation: userPassword,
  handle: async (context, request) => {
    const { app, body, token, address } = request;
    if (token.kind !== 'user') throw new Problem('no-permission', "Use /admin/user/password to set a user's password.");
    const { home } = context.storage;
    const { userId } = token;
    await requireStrongPasswordOf(context, app, userId, body.password);
    const limitStates = await takePasswordPoints(context, request, userId);
    const user = await findLoginUser(home, app.appId, { kind: 'user_id', userId });
    const oldHash = user?.passwordHash ?? undefined;
    // The new password is correct if an earlier call changed it, but could not log out all devices.
    const isCorrect =
      (await verifyPassword(body.old_password, oldHash, app.appId)) ||
      (await verifyPassword(body.password, oldHash, app.appId));
    if (!isCorrect || oldHash === undefined) throw new Problem('login-refused', 'Check old_password.');
    await refundPoints(
      home,
      limitStates.map(({ key }) => key),
    );
    await limitLogins(context, app.appId, userId);
    const newHash = await hashPassword(body.password, app.appId);
    const entry = {
      appId: app.appId,
      tokenId: NO_TOKEN_ID,
      tokenName: '',
      operatorId: null,
      operation: userPassword.path,
      address,
      resultOf: null,
    };
    await insertAuditEntry(home, { ...entry, detail: stringifyJson({ user_id: userId }) });
    await endOtherLogins(context, token, { oldHash, newHash });
    return {};
  },
};
