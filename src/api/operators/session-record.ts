import type { HomeDb } from '#src/storage/database/database.ts';
import type { OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import { findAllRoles, findEnabledRoles } from '#src/storage/operators/operators.ts';
import { csrfTokenOf } from '../http/session-cookie.ts';

/** At most 1,000 apps of an operator in a response, as `/admin/app/list` returns at most 1,000 apps. */
export const APPS_MAX = 1_000;

/** Returns the response about a session: the operator, their apps and the CSRF token. */
export async function toSessionRecord(db: HomeDb, sessionId: string, session: OperatorSession) {
  const { operatorId, email, name, isPlatform, expiresAt } = session;
  return {
    operator_id: operatorId,
    email,
    name,
    is_platform: isPlatform,
    apps: (isPlatform ? await findAllRoles(db, APPS_MAX) : await findEnabledRoles(db, operatorId, APPS_MAX)).map(
      ({ appId, appName, role }) => ({ app_id: appId, name: appName, role }),
    ),
    csrf_token: csrfTokenOf(sessionId),
    expires_at: BigInt(expiresAt.getTime()),
  };
}
