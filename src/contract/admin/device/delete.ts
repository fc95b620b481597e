import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { deviceGuidText, emptyData, pushTokenText } from '../../schemas/fields.ts';

export const adminDeviceDelete = {
  method: 'POST',
  path: '/admin/device/delete',
  summary: 'Delete a device',
  description:
    'Erases a device, named by exactly one of `push_token` and `device_guid`: its tokens are refused and its session closed within five seconds, and nothing is delivered to it. Whoever logs in on it again gets a new one.',
  access: 'admin',
  scope: 'manage',
  audit: ['push_token', 'device_guid'],
  body: Type.Object({
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token.' })),
    device_guid: Type.Optional(deviceGuidText('Device ID.')),
  }),
  data: emptyData,
  problems: ['no-such-device'],
  examples: [{ name: 'by its guid', body: { device_guid: 'edsgers-phone' }, data: {} }],
} as const satisfies Operation;
