import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { deviceField } from '../schemas/fields.ts';

export const deviceBadge = {
  method: 'POST',
  path: '/device/badge',
  summary: 'Set the badge number of a device',
  description:
    'Stores the badge number that the app icon of an iPhone or a web app shows. If the next notification has a relative badge, such as `+1`, Carillon adds it to this number. Apps usually report 0 when the user opens them.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'badge'],
  body: Type.Object({
    badge: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        default: 0,
        description: 'Badge number that the app icon shows; default 0.',
      }),
    ),
    push_token: deviceField,
  }),
  data: Type.Object({ badge: Type.Integer({ description: 'Stored badge number.' }) }),
  problems: ['no-such-device'],
  examples: [{ name: 'after the app was opened', body: { badge: 0 }, data: { badge: 0 } }],
} as const satisfies Operation;
