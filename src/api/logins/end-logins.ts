import { Problem } from '#src/domain/problem.ts';
import { type EndLoginsAction, endUserLogins } from '#src/storage/users/users.ts';
import type { ApiContext } from '../context.ts';
import { logOutAllDevices } from './release-devices.ts';

/**
 * Ends every login of a user: tokens and sessions first, then what would still be delivered to their devices. Each step
 * may be repeated, so whoever hears an error says it again.
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
