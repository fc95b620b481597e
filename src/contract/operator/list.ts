import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { nextField, pageFields } from '../schemas/fields.ts';
import { exampleOperator, operatorRecord } from '../schemas/operator-record.ts';

export const operatorList = {
  method: 'POST',
  path: '/operator/list',
  summary: 'List the operators',
  description: 'Returns all operators of the installation, oldest first.',
  access: 'admin',
  scope: 'platform',
  appless: true,
  reads: true,
  body: Type.Object(pageFields),
  data: Type.Object({
    list: Type.Array(operatorRecord, { description: 'Operators.' }),
    next: nextField,
  }),
  problems: [],
  examples: [{ name: 'all operators', body: {}, data: { list: [exampleOperator], next: null } }],
} as const satisfies Operation;
