import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { deviceField } from '../schemas/fields.ts';

export const deviceBadge = {
  method: 'POST',
  path: '/device/badge',
  summary: "Set the number on the app's icon",
  description:
    'Tells what the device shows now, so that the next notification counts on from there. Usually 0, when the app was opened.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'badge'],
  body: Type.Object({
    badge: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 999_999_999, default: 0, description: 'The number; 0 by default.' }),
    ),
    push_token: deviceField,
  }),
  data: Type.Object({ badge: Type.Integer({ description: 'The number that is kept now.' }) }),
  problems: ['no-such-device'],
  examples: [{ name: 'the app was opened', body: { badge: 0 }, data: { badge: 0 } }],
} as const satisfies Operation;
