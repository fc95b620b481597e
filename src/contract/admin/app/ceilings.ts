import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { appIdText, ceilingFields, ceilingsRecord, exampleLimits, usageRecord } from '../../schemas/app-record.ts';

export const adminAppCeilings = {
  method: 'POST',
  path: '/admin/app/ceilings',
  summary: 'Set the ceilings of an app',
  description:
    'Sets the given ceilings of an app, and leaves the others unchanged. Returns all ceilings of the app and its usage. All processes apply new ceilings within seconds, and gateways within `CARILLON_USAGE_COUNT_SECONDS`. A ceiling below the current usage deletes nothing, but the app cannot add anything until its usage is lower. The admins of the app can read its ceilings with `/admin/app/get`, but cannot change them.',
  access: 'admin',
  scope: 'platform',
  audit: ['target_app_id', 'notify_per_second', 'open_tasks', 'users', 'devices', 'stored_bytes', 'sessions'],
  body: Type.Object({ target_app_id: appIdText, ...ceilingFields }),
  data: Type.Object({ ceilings: ceilingsRecord, usage: usageRecord }),
  problems: [],
  examples: [
    {
      name: 'limit the devices of an app',
      body: { target_app_id: 'second', devices: 50_000 },
      data: { ...exampleLimits, ceilings: { ...exampleLimits.ceilings, devices: 50_000 } },
    },
  ],
} as const satisfies Operation;
