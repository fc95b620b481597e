import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { deviceField } from '../schemas/fields.ts';

export const deviceBadge = {
  method: 'POST',
  path: '/device/badge',
  summary: 'Set the badge number of a device',
  description:
    'Reports the badge number that the device shows now, so that the next notification counts from that number. Apps usually send 0 when they are opened.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'badge'],
  body: Type.Object({
    badge: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 999_999_999, default: 0, description: 'Badge number; 0 by default.' }),
    ),
    push_token: deviceField,
  }),
  data: Type.Object({ badge: Type.Integer({ description: 'Badge number that is stored now.' }) }),
  problems: ['no-such-device'],
  examples: [{ name: 'after the app was opened', body: { badge: 0 }, data: { badge: 0 } }],
} as const satisfies Operation;
