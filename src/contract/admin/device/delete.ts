import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { deviceGuidText, emptyData, pushTokenText } from '../../schemas/fields.ts';

export const adminDeviceDelete = {
  method: 'POST',
  path: '/admin/device/delete',
  summary: 'Delete a device',
  description:
    'Erases a device, identified by exactly one of `push_token` and `device_guid`. Its tokens are rejected and its session is closed within five seconds, and nothing more is delivered to it. A later login on it registers a new device.',
  access: 'admin',
  scope: 'manage',
  audit: ['push_token', 'device_guid'],
  body: Type.Object({
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token.' })),
    device_guid: Type.Optional(deviceGuidText('Device ID.')),
  }),
  data: emptyData,
  problems: ['no-such-device'],
  examples: [{ name: 'by device ID', body: { device_guid: 'edsgers-phone' }, data: {} }],
} as const satisfies Operation;
