import { Problem } from '#src/domain/problem.ts';
import { endUserLogins, type LoginsEnd } from '#src/storage/users/users.ts';
import type { ApiContext } from '../context.ts';
import { releaseAll } from './release-devices.ts';

/**
 * Ends every login of a user: tokens and sessions first, then what would still be delivered to their devices. Each step
 * may be repeated, so whoever hears an error says it again.
 */
export async function endEveryLogin(context: ApiContext, appId: string, userId: bigint, end: LoginsEnd): Promise<void> {
  const found = await endUserLogins(context.truth.home, appId, userId, end);
  if (!found) throw new Problem('no-such-user');
  context.tellRevoked();
  await releaseAll(context, appId, userId, end.kind);
}
