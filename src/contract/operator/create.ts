import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { nameField } from '../schemas/fields.ts';
import { exampleOperator, operatorEmailField, operatorRecord } from '../schemas/operator-record.ts';
import { newPasswordField } from '../schemas/user-record.ts';

export const operatorCreate = {
  method: 'POST',
  path: '/operator/create',
  summary: 'Create an operator',
  description:
    'Creates an operator who signs in with a password. The operator has no role in any app until `/operator/role/set` gives one.',
  access: 'admin',
  scope: 'platform',
  appless: true,
  audit: ['email', 'is_platform'],
  auditResultField: 'operator_id',
  body: Type.Object({
    email: operatorEmailField,
    name: nameField('Displayed name.'),
    password: newPasswordField,
    is_platform: Type.Optional(
      Type.Boolean({
        description:
          'True creates a platform operator, who is an admin of every app and manages operators. Default: false.',
      }),
    ),
  }),
  data: operatorRecord,
  problems: ['already-exists'],
  examples: [
    {
      name: 'without a role',
      body: { email: exampleOperator.email, name: exampleOperator.name, password: 'nanoseconds of wire' },
      data: exampleOperator,
    },
  ],
} as const satisfies Operation;
