import { operatorSession } from '#src/contract/operator/session.ts';
import type { Route } from '../../context.ts';
import { readCookie, SESSION_COOKIE } from '../../http/session-cookie.ts';
import { toSessionRecord } from '../../operators/session-record.ts';

export const operatorSessionRoute: Route<typeof operatorSession> = {
  operation: operatorSession,
  handle: async ({ storage }, { session, http, setHeader }) => {
    setHeader('cache-control', 'no-store');
    return toSessionRecord(storage.home, readCookie(http, SESSION_COOKIE) ?? '', session);
  },
};
