import { Type } from 'typebox';
import { operatorRoles } from '#src/domain/operators/operator-role.ts';
import type { ProblemName } from '#src/domain/problem.ts';
import { Int64 } from '#src/foundation/int64.ts';
import { StringEnum, timeField } from './fields.ts';
import { loginNameText } from './login.ts';

/** Schemas of operators and their sessions. */

export const operatorIdField = Int64({ description: 'Operator ID.' });
export const chosenOperatorField = Type.Optional(
  Int64({ description: 'Operator ID. Blank selects the operator who is signed in.' }),
);
export const operatorEmailField = loginNameText('Email address of the operator. It matches in upper or lower case.');

const ROLE =
  'Role in the app. `viewer`: read. `sender`: also send and cancel notifications. `admin`: also manage the app and read its secrets.';

const operatorApps = Type.Array(
  Type.Object(
    {
      app_id: Type.String({ description: 'App ID.' }),
      name: Type.String({ description: 'Name of the app.' }),
      role: StringEnum(operatorRoles, ROLE),
    },
    { description: 'An app and the role of the operator in it.' },
  ),
  { description: 'Apps in which the operator has a role, at most 1,000.' },
);

export const roleField = Type.Optional(
  Type.Union([Type.Literal('viewer'), Type.Literal('sender'), Type.Literal('admin')], {
    description: `${ROLE} Blank removes the role.`,
  }),
);

export const operatorRecord = Type.Object(
  {
    operator_id: operatorIdField,
    email: Type.String({ description: 'Email address.' }),
    name: Type.String({ description: 'Displayed name.' }),
    is_platform: Type.Boolean({
      description: 'Whether this is a platform operator: an admin of every app, who also manages apps and operators.',
    }),
    sign_in: StringEnum(['password', 'oidc'], '`password`, or `oidc` if the operator signs in with OpenID Connect.'),
    disabled: Type.Boolean({ description: 'Whether the operator is disabled.' }),
    created_at: timeField('Creation time'),
    apps: operatorApps,
  },
  { description: 'An operator.' },
);

export const exampleOperator = {
  operator_id: 2,
  email: 'ada@example.com',
  name: 'Ada',
  is_platform: false,
  sign_in: 'password',
  disabled: false,
  created_at: 1794700800000,
  apps: [],
} as const;

export const sessionData = Type.Object(
  {
    operator_id: operatorIdField,
    email: Type.String({ description: 'Email address.' }),
    name: Type.String({ description: 'Displayed name.' }),
    is_platform: Type.Boolean({ description: 'Whether this is a platform operator.' }),
    apps: Type.Array(operatorApps.items, {
      description:
        'Enabled apps in which the operator has a role, at most 1,000. A platform operator is an admin of all apps.',
    }),
    csrf_token: Type.String({ description: 'Value of the header `carillon-csrf` of all other requests.' }),
    expires_at: timeField('Time at which the session ends, even if it is used'),
  },
  { description: 'The operator who is signed in.' },
);

export const exampleSession = {
  operator_id: 1,
  email: 'grace@example.com',
  name: 'Grace',
  is_platform: true,
  apps: [{ app_id: 'bells', name: 'Bells', role: 'admin' }],
  csrf_token: 'Vw0pWbyq0YbWqkXoMnGkTn9PCZC0Iu1MZJ1rlmyYQW0',
  expires_at: 1794744000000,
} as const;

/** The operator in the examples. `test/contract/examples.test.ts` creates this operator. */
export const exampleOperatorLogin = { email: 'grace@example.com', password: 'correct horse battery staple' } as const;

export const operatorLoginProblems: readonly ProblemName[] = ['login-refused', 'too-many-logins'];
