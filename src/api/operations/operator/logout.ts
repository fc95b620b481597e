import { operatorLogout } from '#src/contract/operator/logout.ts';
import { endSession } from '#src/storage/operators/operator-sessions.ts';
import type { Route } from '../../context.ts';
import { SESSION_COOKIE, setCookie } from '../../http/session-cookie.ts';

export const operatorLogoutRoute: Route<typeof operatorLogout> = {
  operation: operatorLogout,
  handle: async ({ storage, clearAuthCache }, { session, http, setHeader }) => {
    await endSession(storage.home, session.sessionHash);
    clearAuthCache();
    setHeader('set-cookie', setCookie(http, SESSION_COOKIE));
    return {};
  },
};
