import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { emptyData } from '../schemas/fields.ts';
import { operatorIdField } from '../schemas/operator-record.ts';

export const operatorEnable = {
  method: 'POST',
  path: '/operator/enable',
  summary: 'Enable an operator',
  description: 'Lets a disabled operator sign in again. Sessions that have ended stay ended.',
  access: 'admin',
  scope: 'platform',
  appless: true,
  audit: ['operator_id'],
  body: Type.Object({ operator_id: operatorIdField }),
  data: emptyData,
  problems: [],
  examples: [{ name: 'one operator', body: { operator_id: 2 }, data: {} }],
} as const satisfies Operation;
