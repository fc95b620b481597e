import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appRecord, exampleApp } from '../../schemas/app-record.ts';

export const adminAppList = {
  method: 'POST',
  path: '/admin/app/list',
  summary: 'List all apps of the installation',
  description:
    'Returns all apps, ordered by app ID, at most 1,000. This operation is for operators of the whole installation.',
  access: 'admin',
  scope: 'platform',
  reads: true,
  data: Type.Array(appRecord),
  problems: [],
  examples: [{ name: 'all apps', data: [exampleApp] }],
} as const satisfies Operation;
