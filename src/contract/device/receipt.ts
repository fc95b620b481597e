import { Type } from 'typebox';
import { type Operation, STORABLE } from '../operation.ts';
import { deviceField } from '../schemas/fields.ts';

const RECEIPTS_MAX = 100;

export const deviceReceipt = {
  method: 'POST',
  path: '/device/receipt',
  summary: 'Report received or clicked notifications',
  description:
    'Reports notifications that arrived through a vendor, by the `reference` in each notification. APNs, FCM and Web Push do not report delivery, so these reports are their only receipts. A notification that is reported twice counts once. References of other devices, and of notifications that were not sent to this device, are ignored.',
  access: 'token',
  scope: 'manage',
  body: Type.Object({
    list: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: STORABLE }), {
      minItems: 1,
      maxItems: RECEIPTS_MAX,
      description: 'References of the notifications, at most 100.',
    }),
    event: Type.Optional(
      Type.Union([Type.Literal('received'), Type.Literal('clicked')], {
        default: 'received',
        description:
          '`received` if the notification was displayed, `clicked` if the user opened it. A click also counts as received. Blank means `received`.',
      }),
    ),
    push_token: deviceField,
  }),
  data: Type.Object({
    received: Type.Integer({
      description: 'Number of listed references that were recognized, including those that were already counted.',
    }),
  }),
  problems: ['no-such-device', 'list-too-long'],
  examples: [{ name: 'one notification', body: { list: ['115258093993985.17.3'] }, data: { received: 1 } }],
} as const satisfies Operation;
