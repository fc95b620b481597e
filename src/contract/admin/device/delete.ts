import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { deviceGuidText, emptyData, pushTokenText } from '../../schemas/fields.ts';

export const adminDeviceDelete = {
  method: 'POST',
  path: '/admin/device/delete',
  summary: 'Delete a device',
  description:
    'Deletes a device with all its data. Send exactly one of `push_token` and `device_guid`. With `device_guid`, the devices of all users who have logged in with it are deleted. Within five seconds, the access tokens of the device are rejected, and its connection is closed. Nothing more is delivered to the device. A later login on the device registers a new device.',
  access: 'admin',
  scope: 'manage',
  audit: ['push_token', 'device_guid'],
  revokes: true,
  body: Type.Object({
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token of the device.' })),
    device_guid: Type.Optional(deviceGuidText('Device ID.')),
  }),
  data: emptyData,
  problems: ['no-such-device'],
  examples: [{ name: 'by device ID', body: { device_guid: 'edsgers-phone' }, data: {} }],
} as const satisfies Operation;
