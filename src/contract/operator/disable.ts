import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';
import { operatorIdField } from '../schemas/operator-record.ts';

export const operatorDisable = {
  method: 'POST',
  path: '/operator/disable',
  summary: 'Disable an operator',
  description:
    'Ends all sessions of the operator, who cannot sign in until `/operator/enable`. All processes reject the sessions within five seconds. Admin tokens that the operator created stay valid.',
  access: 'admin',
  scope: 'platform',
  appless: true,
  audit: ['operator_id'],
  revokes: true,
  body: Type.Object({ operator_id: operatorIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'one operator', body: { operator_id: 2 }, data: {} }],
} as const satisfies Operation;
