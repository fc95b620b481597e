import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { deviceRecord, exampleDevice } from '../schemas/device-record.ts';

export const deviceList = {
  method: 'POST',
  path: '/device/list',
  summary: 'List the devices of a user',
  description:
    'Returns the devices on which the user is logged in, at most 20. The device that was seen last comes first. With an admin token, set the header `user_id` to choose the user.',
  access: 'token',
  scope: 'manage',
  reads: true,
  data: Type.Array(deviceRecord),
  problems: [],
  examples: [{ name: 'the devices of the user', data: [exampleDevice] }],
} as const satisfies Operation;
