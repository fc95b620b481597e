import { Type } from 'typebox';
import { aliasText } from '../../device/alias.ts';
import { tagText } from '../../device/tag.ts';
import type { Operation } from '../../operation.ts';
import { deviceRecord, exampleDevice } from '../../schemas/device-record.ts';
import { deviceGuidText, nextField, pageFields, pushTokenText, userIdField } from '../../schemas/fields.ts';

export const adminDeviceFind = {
  method: 'POST',
  path: '/admin/device/find',
  summary: 'Find devices',
  description:
    'Returns matching devices, one page at a time. Send exactly one of `push_token`, `device_guid`, `user_id`, `alias` or `tag`. A `device_guid` has one device for each user who has logged in with it. A device on which no user is logged in can be found only by `device_guid`.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  body: Type.Object({
    push_token: Type.Optional(Type.String({ ...pushTokenText, description: 'Push token of the device.' })),
    device_guid: Type.Optional(deviceGuidText('Device ID.')),
    user_id: Type.Optional(userIdField),
    alias: Type.Optional(Type.String({ ...aliasText, description: 'Alias of the device.' })),
    tag: Type.Optional(Type.String({ ...tagText, description: 'Tag of the device.' })),
    ...pageFields,
  }),
  data: Type.Object({
    list: Type.Array(deviceRecord, { description: 'Devices.' }),
    next: nextField,
    incomplete: Type.Boolean({
      description:
        'Whether devices may be missing because a database is unavailable. A search by `tag` returns an error instead.',
    }),
  }),
  problems: [],
  examples: [
    {
      name: 'by device ID',
      body: { device_guid: 'example-phone' },
      data: { list: [exampleDevice], next: null, incomplete: false },
    },
  ],
} as const satisfies Operation;
