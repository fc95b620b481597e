import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { nameField } from '../schemas/fields.ts';
import { exampleOperator, operatorEmailField, operatorIdField, operatorRecord } from '../schemas/operator-record.ts';
import { newPasswordField } from '../schemas/user-record.ts';

export const operatorUpdate = {
  method: 'POST',
  path: '/operator/update',
  summary: 'Change an operator',
  description:
    'Changes only the given fields. A new password ends all sessions of the operator. An operator who signs in with OpenID Connect has no password, and gets the name, the email address and the roles from the identity provider at each sign-in.',
  access: 'admin',
  scope: 'platform',
  appless: true,
  audit: ['operator_id', 'email', 'name', 'is_platform'],
  auditSecrets: ['password'],
  body: Type.Object({
    operator_id: operatorIdField,
    email: Type.Optional(operatorEmailField),
    name: Type.Optional(nameField('Displayed name.')),
    password: Type.Optional(newPasswordField),
    is_platform: Type.Optional(Type.Boolean({ description: 'Whether this is a platform operator.' })),
  }),
  data: operatorRecord,
  problems: ['already-exists'],
  examples: [{ name: 'a new name', body: { operator_id: 2, name: 'Ada' }, data: exampleOperator }],
} as const satisfies Operation;
