import { tokenLogout } from '#src/contract/token/logout.ts';
import { Problem } from '#src/domain/problem.ts';
import { revokeDeviceTokens, revokeUserToken } from '#src/storage/users/revocations.ts';
import type { Route } from '../../context.ts';
import { logOutDevice } from '../../logins/release-devices.ts';

/**
 * Logs the device out before the token is revoked: if the request fails in between, the caller can retry with the same
 * token.
 */
export const tokenLogoutRoute: Route<typeof tokenLogout> = {
  operation: tokenLogout,
  handle: async (context, { token }) => {
    if (token.kind !== 'user') throw new Problem('no-permission', 'Use /admin/token/revoke to revoke an admin token.');
    const { appId, deviceId, generation, tokenHash } = token;
    if (deviceId !== null && generation !== null) {
      await logOutDevice(context, appId, { deviceId, generation }, 'logged out');
      await revokeDeviceTokens(context.storage.home, [{ deviceId, generation }]);
    }
    await revokeUserToken(context.storage.home, appId, tokenHash);
    context.announceRevocation();
    return {};
  },
};
