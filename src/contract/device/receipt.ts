import { Type } from 'typebox';
import { type Operation, STORABLE } from '../operation.ts';
import { deviceField } from '../schemas/fields.ts';

const RECEIPTS_MAX = 100;

export const deviceReceipt = {
  method: 'POST',
  path: '/device/receipt',
  summary: 'Tell that notifications arrived',
  description:
    'For vendors that tell nobody: the app says which notifications it was shown, by the `reference` that came with each. Said twice it counts once. References that are not for this device, and those that it never was sent, are left out.',
  access: 'token',
  scope: 'manage',
  body: Type.Object({
    list: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: STORABLE }), {
      minItems: 1,
      maxItems: RECEIPTS_MAX,
      description: 'References, at most 100.',
    }),
    push_token: deviceField,
  }),
  data: Type.Object({ received: Type.Integer({ description: 'How many of them are known to have arrived now.' }) }),
  problems: ['no-such-device', 'list-too-long'],
  examples: [{ name: 'one notification', body: { list: ['115258093993985.17.3'] }, data: { received: 1 } }],
} as const satisfies Operation;
