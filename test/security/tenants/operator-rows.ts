import type { CallerName } from './callers.ts';
import type { Fields, Row } from './rows.ts';

const operates: readonly CallerName[] = ['platform'];

/** The operations of operators, who belong to no app. */
export const operatorRows: Readonly<Record<string, Row>> = {
  '/operator/methods': { allowedCallers: [], validRequest: () => ({}) },
  '/operator/login': { allowedCallers: [], validRequest: ({ operatorLogin }) => operatorLogin },
  '/operator/session': ofSession(),
  '/operator/logout': ofSession(),
  '/operator/password': ofSession({ old_password: 'a password', password: 'another password' }),
  '/operator/session/list': ofSession(),
  '/operator/session/revoke': ofSession({ session_id: 1 }),
  '/operator/create': {
    allowedCallers: operates,
    beyond: true,
    validRequest: ({ text }) => ({ email: `${text()}@example.com`, name: 'new', password: 'nine bells at midnight' }),
  },
  '/operator/list': { allowedCallers: operates, beyond: true, validRequest: () => ({}) },
  '/operator/update': ofOperator({ name: 'new' }),
  '/operator/disable': ofOperator(),
  '/operator/enable': ofOperator(),
  '/operator/role/set': {
    allowedCallers: operates,
    beyond: true,
    validRequest: ({ app, operatorId }) => ({ operator_id: operatorId, app_id: app.appId, role: 'viewer' }),
    foreignRequests: ({ appId }, { operatorId }) => [
      { body: { operator_id: operatorId, app_id: appId, role: 'viewer' }, code: 200 },
    ],
  },
};

/** No token can replace the session of an operator. */
function ofSession(body: Fields = {}): Row {
  return { allowedCallers: [], validRequest: () => body };
}

/** Operators belong to no app. */
function ofOperator(body: Fields = {}): Row {
  return {
    allowedCallers: operates,
    beyond: true,
    validRequest: ({ operatorId }) => ({ operator_id: operatorId, ...body }),
  };
}
