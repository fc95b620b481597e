import { adminCallerRows } from './admin-scopes.ts';
import { deviceTokens } from './fixture-devices.ts';
import { NO_OPERATOR, operators, sessionHeaders, sessionIds, viewerSessionId } from './fixture-operators.ts';
import { apps } from './fixtures.ts';
import { pagingFields } from './paged-lists.ts';
import {
  absent,
  type Call,
  type FieldRules,
  fieldRows,
  notBoolean,
  notInt64,
  notText,
  ok,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, freshEmail, newPassword, refusedNames, rule } from './user-calls.ts';

/** Management of operators, with an admin token that has the scope `platform`, or with a session. */

const token = deviceTokens.platform;
const call = (path: string, body: object): Call => ({ path, token, body });
const rulesOf = ({ path, body }: Call): FieldRules => ({ path, token, body, taken: () => ok });
const optional = (good: Call): FieldRules => ({ ...rulesOf(good), blank: () => ok });

const newOperator = { email: freshEmail, name: 'Ada', password: 'kT9#vLq2' };
const create = call('/operator/create', newOperator);
const list = call('/operator/list', { limit: 10 });
const update = call('/operator/update', { operator_id: operators.changed.operatorId, name: 'Changed' });
const disable = call('/operator/disable', { operator_id: operators.disabled.operatorId });
const enable = call('/operator/enable', { operator_id: operators.changed.operatorId });
const setRole = call('/operator/role/set', {
  operator_id: operators.changed.operatorId,
  app_id: apps.bells,
  role: 'sender',
});

const idField = (operatorId: bigint) => ({
  name: 'operator_id',
  takes: { 'the ID of an operator': [operatorId] },
  refuses: {
    'an unknown ID': [10002, NO_OPERATOR, 0, -1] as const,
    'a value that is not an int64': [10002, ...notInt64] as const,
  },
});
const emailField = { name: 'email', takes: { 'an email address': [freshEmail] }, refuses: refusedNames.email };
const nameField = {
  name: 'name',
  takes: { 'up to 128 characters': ['x', 'é'.repeat(128)] },
  refuses: {
    'a value that is not a string': [10002, ...notText] as const,
    'more than 128 characters': [12009, 'x'.repeat(129)] as const,
  },
};
const platformField = {
  name: 'is_platform',
  takes: { 'true and false': [true, false] },
  refuses: { 'a value that is not a boolean': [10002, ...notBoolean] as const },
};
/** Spaces are not blank, because they can be part of a password. */
const passwordBlanks = { blankForms: [absent, null, ''] };

const fieldGroup: readonly Row[] = [
  ...[create, list, update, disable, enable, setRole].flatMap((good) => bodyRows([], good)),
  ...fieldRows(rulesOf(create), emailField),
  ...fieldRows(rulesOf(create), nameField),
  ...fieldRows({ ...rulesOf(create), ...passwordBlanks }, newPassword),
  ...fieldRows(optional(create), platformField),
  ...pagingFields.flatMap((field) => fieldRows(optional(list), field)),
  ...fieldRows(rulesOf(update), idField(operators.changed.operatorId)),
  ...fieldRows(optional(update), emailField),
  ...fieldRows(optional(update), nameField),
  ...fieldRows({ ...optional(update), ...passwordBlanks }, newPassword),
  ...fieldRows(optional(update), platformField),
  ...fieldRows(rulesOf(disable), idField(operators.disabled.operatorId)),
  ...fieldRows(rulesOf(enable), idField(operators.changed.operatorId)),
  ...fieldRows(rulesOf(setRole), idField(operators.changed.operatorId)),
  ...fieldRows(rulesOf(setRole), {
    name: 'app_id',
    takes: { 'the ID of an enabled app': [apps.bells, apps.other] },
    refuses: {
      'an unknown or disabled app': [40000, 'nowhere', apps.disabled],
      'a value that is not a string': [10002, ...notText],
      'more than 64 characters': [12009, 'x'.repeat(65)],
    },
  }),
  ...fieldRows(optional(setRole), {
    name: 'role',
    takes: { 'each role': ['viewer', 'sender', 'admin'] },
    refuses: { 'another value': [10002, 'owner', 'Viewer', 'platform', 1, true] },
  }),
];

const platform = sessionHeaders(sessionIds.platform);
const bySession = (good: Call, headers = platform): Call => ({ ...good, app: null, token: null, headers });

const ruleGroup: readonly Row[] = [
  ...[create, list, update, disable, enable, setRole].flatMap((good) => adminCallerRows(good, 'platform')),
  ...[create, list, update, disable, enable, setRole].flatMap((good) => [
    rule(good.path, 'accepts the session of a platform operator without an app', [], bySession(good), ok),
    rule(
      good.path,
      'rejects the session of another operator: 10010',
      [],
      bySession(good, sessionHeaders(viewerSessionId)),
      refused(10010, /platform operator/),
    ),
  ]),
  rule(
    create.path,
    'rejects an email address that another operator has, in any case: 10004',
    [],
    {
      ...create,
      body: { ...newOperator, email: 'Viewer@EXAMPLE.com' },
    },
    refused(10004),
  ),
  rule(create.path, 'returns the operator without a password', [], create, {
    code: 200,
    data: { name: 'Ada', is_platform: false, sign_in: 'password', disabled: false, apps: [] },
    dataWithout: ['password', 'password_hash'],
  }),
  rule(
    update.path,
    'rejects an email address that another operator has: 10004',
    [],
    {
      ...update,
      body: { operator_id: operators.changed.operatorId, email: 'viewer@example.com' },
    },
    refused(10004),
  ),
  rule(list.path, 'returns the oldest operator first', [], call(list.path, { limit: 1 }), {
    code: 200,
    rows: [{ operator_id: 1, email: operators.platform.email, is_platform: true }],
    data: { next: 1 },
  }),
  rule(list.path, 'returns the roles of an operator', [], call(list.path, { limit: 1, after: 1 }), {
    code: 200,
    rows: [{ operator_id: 2, apps: [{ app_id: apps.bells, name: apps.bells, role: 'viewer' }] }],
  }),
];

export const operatorGroup: readonly Row[] = [...fieldGroup, ...ruleGroup];
