import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appRecord, exampleApp } from '../../schemas/app-record.ts';

export const adminAppList = {
  method: 'POST',
  path: '/admin/app/list',
  summary: 'Every app of the installation',
  description: 'For operators of the whole installation (scope `platform`), in the order of their IDs, at most 1,000.',
  access: 'admin',
  scope: 'platform',
  data: Type.Array(appRecord),
  problems: [],
  examples: [{ name: 'all', data: [exampleApp] }],
} as const satisfies Operation;
