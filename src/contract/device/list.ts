import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { deviceRecord, exampleDevice } from '../schemas/device-record.ts';

export const deviceList = {
  method: 'POST',
  path: '/device/list',
  summary: "A user's devices",
  description:
    'The devices on which this user is logged in, the latest first, at most 20. An admin token names the user by the header `user_id`.',
  access: 'token',
  scope: 'manage',
  data: Type.Array(deviceRecord),
  problems: [],
  examples: [{ name: 'my devices', data: [exampleDevice] }],
} as const satisfies Operation;
