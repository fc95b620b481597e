import type { FastifyRequest } from 'fastify';
import type { Operation } from '#src/contract/operation.ts';
import { type Caller, requireAccess } from '#src/domain/caller.ts';
import { scopesOfOperator } from '#src/domain/operators/operator-role.ts';
import { Problem } from '#src/domain/problem.ts';
import type { OperatorSession } from '#src/storage/operators/operator-sessions.ts';
import type { OperatorRow } from '#src/storage/users/tokens.ts';
import type { Authenticator } from './authenticate.ts';
import { readCookie, requireCsrfToken, requireSameOrigin, SESSION_COOKIE } from './session-cookie.ts';

/**
 * Finds the app and the caller of a request, and checks that the caller has access. Stores the app, the token and the
 * session in the request. Returns undefined for operations that require neither a token nor a session.
 */
export async function identifyCaller(
  authenticator: Authenticator,
  operation: Operation,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const { headers, ip } = request;
  if (operation.access === 'open') {
    if (operation.appless) requireSameOrigin(request);
    else request.app = await authenticator.app(headers, ip);
    return undefined;
  }
  const hasToken = headers['access-token'] !== undefined;
  if (operation.access === 'session' && hasToken)
    throw new Problem('no-permission', 'This operation requires the session of an operator, not a token.');
  if (operation.access === 'session' || (!hasToken && headers.cookie !== undefined)) {
    const sessionId = readCookie(request, SESSION_COOKIE);
    if (sessionId !== undefined) return identifyOperator(authenticator, operation, request, sessionId);
    if (operation.access === 'session') throw new Problem('session-missing');
  }
  const app = await authenticator.app(headers, ip);
  request.app = app;
  request.token = await authenticator.token(app, headers, ip);
  const caller = await authenticator.caller(request.token, headers);
  requireAccess(caller, operation);
  return caller;
}

async function identifyOperator(
  authenticator: Authenticator,
  operation: Exclude<Operation, { access: 'open' }>,
  request: FastifyRequest,
  sessionId: string,
): Promise<Caller> {
  const { headers, ip } = request;
  // Errors follow the app's `http_errors` setting.
  const app = operation.appless ? null : await authenticator.app(headers, ip);
  request.app = app;
  const session = await authenticator.session(sessionId, ip);
  requireSameOrigin(request);
  if (!operation.skipsCsrf) requireCsrfToken(request, sessionId);
  const token = toOperatorRow(session, app?.appId ?? null);
  request.session = session;
  request.token = token;
  const caller = await authenticator.caller(token, headers);
  requireAccess(caller, operation);
  return caller;
}

/** Returns the operator with the scopes that they have in an app, or in none. */
function toOperatorRow(session: OperatorSession, appId: string | null): OperatorRow {
  const { operatorId, email, isPlatform, roles } = session;
  const role = appId === null ? 'viewer' : (roles.get(appId) ?? (isPlatform ? 'admin' : undefined));
  if (role === undefined)
    throw new Problem('no-permission', 'You have no role in this app. Ask a platform operator for a role.');
  return { kind: 'operator', appId, operatorId, email, scopes: scopesOfOperator(isPlatform, role) };
}
