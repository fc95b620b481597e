import { Type } from 'typebox';
import { type Operation, STORABLE } from '../../operation.ts';
import { emptyData } from '../../schemas/fields.ts';
import { operatorIdField, roleField } from '../../schemas/operator-record.ts';

export const operatorRoleSet = {
  method: 'POST',
  path: '/operator/role/set',
  summary: 'Set the role of an operator in an app',
  description: 'Gives an operator a role in an app, or removes the role. The change takes effect within five seconds.',
  access: 'admin',
  scope: 'platform',
  appless: true,
  audit: ['operator_id', 'app_id', 'role'],
  body: Type.Object({
    operator_id: operatorIdField,
    app_id: Type.String({ maxLength: 64, pattern: STORABLE, description: 'App ID.' }),
    role: roleField,
  }),
  data: emptyData,
  problems: ['unknown-app'],
  examples: [{ name: 'a sender', body: { operator_id: 2, app_id: 'bells', role: 'sender' }, data: {} }],
} as const satisfies Operation;
