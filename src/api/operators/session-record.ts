import { findApps } from '#src/storage/accounts/apps.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import type { OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import { findRoles } from '#src/storage/operators/operators.ts';
import { csrfTokenOf } from '../http/session-cookie.ts';

/** Maximum number of apps in a response. */
const APPS_MAX = 1_000;

/** Returns the response about a session: the operator, their apps and the CSRF token. */
export async function toSessionRecord(db: HomeDb, sessionId: string, session: OperatorSession) {
  const { operatorId, email, name, isPlatform, expiresAt } = session;
  const enabledApps = (await findApps(db, APPS_MAX)).filter(({ disabled }) => !disabled);
  const roles = new Map((await findRoles(db, [operatorId])).get(operatorId)?.map(({ appId, role }) => [appId, role]));
  return {
    operator_id: operatorId,
    email,
    name,
    is_platform: isPlatform,
    apps: enabledApps.flatMap(({ appId, name: appName }) => {
      const role = isPlatform ? ('admin' as const) : roles.get(appId);
      return role === undefined ? [] : [{ app_id: appId, name: appName, role }];
    }),
    csrf_token: csrfTokenOf(sessionId),
    expires_at: BigInt(expiresAt.getTime()),
  };
}
