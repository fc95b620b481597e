import { Problem } from '#src/domain/problem.ts';
import type { UserTokenRow } from '#src/storage/users/tokens.ts';
import { changePassword, type EndLoginsAction, endUserLogins, type PasswordChange } from '#src/storage/users/users.ts';
import type { ApiContext } from '../context.ts';
import { logOutAllDevices } from './release-devices.ts';

/**
 * Ends every login of a user: first tokens and sessions, then pending deliveries to the user's devices. Every step can
 * be repeated, so the caller can retry after an error.
 */
export async function endAllLogins(
  context: ApiContext,
  appId: string,
  userId: bigint,
  end: EndLoginsAction,
): Promise<void> {
  const exists = await endUserLogins(context.storage.home, appId, userId, end);
  if (!exists) throw new Problem('no-such-user');
  context.announceRevocation();
  await logOutAllDevices(context, appId, userId, end.kind);
}

/** Changes a user's password, and ends every login of the user except the one with this token. */
export async function endOtherLogins(context: ApiContext, token: UserTokenRow, change: PasswordChange): Promise<void> {
  const { appId, userId, deviceId } = token;
  const isChanged = await changePassword(context.storage.home, token, change);
  // Another call has changed the password since it was checked.
  if (!isChanged) throw new Problem('login-refused', 'Check old_password.');
  context.announceRevocation();
  await logOutAllDevices(context, appId, userId, 'password', deviceId);
}
