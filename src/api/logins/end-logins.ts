import { Problem } from '#src/domain/problem.ts';
import { type EndLoginsAction, endUserLogins } from '#src/storage/users/users.ts';
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
