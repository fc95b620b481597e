import { createHash } from 'node:crypto';
import { sessionIdOf } from '#src/api/operators/session-id.ts';
import {
  changerSessionIds,
  endedSessionId,
  NO_OPERATOR,
  OPERATOR_PASSWORD,
  operators,
  sessionHeaders,
  sessionIds,
  viewerSessionId,
} from './fixture-operators.ts';
import { apps, tokens } from './fixtures.ts';
import { absent, type Call, type Expect, fieldRows, notInt64, notText, ok, type Row, refused } from './row.ts';
import { bodyRows, rule, rules } from './user-calls.ts';

/** Sign-in of operators, and the operations of their sessions. */

const LOGIN = '/operator/login';
const PASSWORD = '/operator/password';
const LIST = '/operator/session/list';
const REVOKE = '/operator/session/revoke';

const withoutToken = { app: null, token: null } as const;
const platform = sessionHeaders(sessionIds.platform);
const login = {
  path: LOGIN,
  ...withoutToken,
  body: { email: operators.platform.email, password: OPERATOR_PASSWORD },
} as const satisfies Call;
const bySession = (path: string, body: object = {}, headers = platform): Call => ({
  path,
  ...withoutToken,
  headers,
  body,
});
const listedId = (sessionId: string) => sessionIdOf(createHash('sha256').update(sessionId).digest());
/** The new password is the same, so that the rows can be repeated. */
const samePassword = { old_password: OPERATOR_PASSWORD, password: OPERATOR_PASSWORD };
const textBlanks = [absent, null, ''] as const;
const longText = { 'more than 256 characters': [12009, 'x'.repeat(257)] as const };

const fieldGroup: readonly Row[] = [
  ...bodyRows([], login),
  ...fieldRows(
    { ...login, taken: () => ok },
    {
      name: 'email',
      takes: { 'the email address of an operator, in any case': [operators.platform.email, 'PLATFORM@example.com'] },
      refuses: {
        'an unknown operator': [10013, 'nobody@example.com', 'not an email address'],
        'a value that is not a string': [10002, ...notText],
        ...longText,
      },
    },
  ),
  ...fieldRows(
    { ...login, taken: () => ok, blankForms: textBlanks },
    {
      name: 'password',
      takes: { 'the password': [OPERATOR_PASSWORD] },
      refuses: {
        'another password': [10013, 'wrong', ' ', ` ${OPERATOR_PASSWORD}`],
        'a value that is not a string': [10002, 1, true, ['a'], {}],
        ...longText,
      },
    },
  ),
  ...bodyRows([], bySession(PASSWORD, samePassword, sessionHeaders(changerSessionIds.changer1))),
  ...(['old_password', 'password'] as const).flatMap((name) =>
    fieldRows(
      {
        ...bySession(
          PASSWORD,
          samePassword,
          sessionHeaders(changerSessionIds[name === 'password' ? 'changer2' : 'changer3']),
        ),
        body: samePassword,
        taken: () => ok,
        blankForms: textBlanks,
      },
      {
        name,
        takes: { 'a password': [OPERATOR_PASSWORD] },
        refuses: {
          'a value that is not a string': [10002, 1, true, ['a'], {}],
          ...(name === 'password' && { 'a password that is easy to guess': [10002, '1234567', 'password1'] as const }),
          ...longText,
        },
      },
    ),
  ),
  ...bodyRows([], bySession(LIST, { operator_id: operators.disabled.operatorId })),
  ...bodyRows([], bySession(REVOKE, { session_id: listedId(sessionIds.spare1) })),
  ...fieldRows(
    { ...bySession(REVOKE), body: {}, taken: () => ok },
    {
      name: 'session_id',
      takes: { 'the ID of a session': [listedId(sessionIds.spare2)] },
      refuses: {
        'an unknown session, or one of another operator': [10002, NO_OPERATOR, listedId(viewerSessionId)],
        'a value that is not an int64': [10002, ...notInt64],
      },
    },
  ),
  ...[
    { ...bySession(LIST), body: {}, taken: () => ok, blank: () => ok },
    { ...bySession(REVOKE), body: {}, taken: () => ok, blank: () => refused(10002, /session_id is missing/) },
  ].flatMap((rules) =>
    fieldRows(rules, {
      name: 'operator_id',
      takes: { 'the ID of an operator': [operators.disabled.operatorId] },
      refuses: {
        'an unknown ID': [10002, NO_OPERATOR, 0, -1],
        'a value that is not an int64': [10002, ...notInt64],
      },
    }),
  ),
];

const SESSION_OPERATIONS: readonly (readonly [path: string, body: object])[] = [
  ['/operator/session', {}],
  [LIST, {}],
  ['/operator/logout', {}],
  [PASSWORD, samePassword],
  [REVOKE, { session_id: 1 }],
];
const each = (sentence: string, expect: Expect, callOf: (path: string, body: object) => Call) =>
  SESSION_OPERATIONS.map(([path, body]) => rules(path, sentence, [{ call: callOf(path, body), expect }]));

const ruleGroup: readonly Row[] = [
  rule(
    '/operator/methods',
    'needs no header',
    [],
    { path: '/operator/methods', ...withoutToken },
    {
      code: 200,
      data: { password: true, oidc: null },
    },
  ),
  rule(
    '/operator/logout',
    'ends the session',
    [],
    bySession('/operator/logout', {}, sessionHeaders(sessionIds.spare3)),
    {
      code: 200,
      headers: { 'set-cookie': /^carillon_session=; Max-Age=0; Path=\// },
    },
  ),
  rule(
    '/operator/session',
    'returns the operator and the apps',
    [],
    bySession('/operator/session', {}, sessionHeaders(viewerSessionId)),
    {
      code: 200,
      data: {
        operator_id: operators.viewer.operatorId,
        email: operators.viewer.email,
        is_platform: false,
        apps: [{ app_id: apps.bells, name: apps.bells, role: 'viewer' }],
      },
    },
  ),
  rule(
    LOGIN,
    'rejects a disabled operator: 10013',
    [],
    { ...login, body: { email: operators.disabled.email, password: OPERATOR_PASSWORD } },
    refused(10013, /^The login name or the password is wrong\.$/),
  ),
  rule(
    PASSWORD,
    'rejects a wrong old password: 10013',
    [],
    bySession(PASSWORD, { ...samePassword, old_password: 'wrong' }),
    refused(10013),
  ),
  rule(LIST, 'lists the session of the call', [], bySession(LIST, {}, sessionHeaders(viewerSessionId)), {
    code: 200,
    text: /"is_current":true,"address":"192\.0\.2\.7","user_agent":"a browser"/,
  }),
  rule(
    LIST,
    'lists the sessions of another operator to a platform operator',
    [],
    bySession(LIST, { operator_id: operators.viewer.operatorId }),
    { code: 200, text: /^[^}]*"is_current":false,"address":"192\.0\.2\.7"[^}]*\}\]/ },
  ),
  ...[LIST, REVOKE].flatMap((path) => [
    rule(
      path,
      'rejects another operator if the caller is not a platform operator: 10010',
      [],
      bySession(path, { operator_id: operators.platform.operatorId, session_id: 1 }, sessionHeaders(viewerSessionId)),
      refused(10010, /Only platform operators/),
    ),
    rule(
      path,
      'accepts the ID of the caller',
      [],
      bySession(path, { operator_id: operators.viewer.operatorId }, sessionHeaders(viewerSessionId)),
      ok,
    ),
  ]),
  rule(
    REVOKE,
    'ends a session of another operator',
    [],
    bySession(REVOKE, {
      operator_id: operators.ended.operatorId,
      session_id: listedId(endedSessionId),
    }),
    ok,
  ),
  ...each('requires a session: 10003', refused(10003, /No operator is signed in/), (path, body) => ({
    path,
    ...withoutToken,
    body,
  })),
  ...each('rejects an unknown session: 10003', refused(10003), (path, body) =>
    bySession(path, body, sessionHeaders('x'.repeat(43))),
  ),
  ...each('rejects a malformed session: 10003', refused(10003), (path, body) =>
    bySession(path, body, sessionHeaders('x')),
  ),
  ...each('rejects a token: 10010', refused(10010, /requires the session of an operator/), (path, body) => ({
    path,
    body,
    token: tokens.admin,
  })),
  ...SESSION_OPERATIONS.slice(1).map(([path, body]) =>
    rule(
      path,
      'rejects a session without its CSRF token: 10010',
      [],
      bySession(path, body, { cookie: String(platform.cookie) }),
      refused(10010, /carillon-csrf/),
    ),
  ),
  ...each('rejects a page of another origin: 10010', refused(10010, /another origin/), (path, body) =>
    bySession(path, body, { ...platform, origin: 'https://evil.example' }),
  ),
];

export const operatorSessionGroup: readonly Row[] = [...fieldGroup, ...ruleGroup];
