import { Type } from 'typebox';
import { type Operation, STORABLE } from '../../operation.ts';
import { providerField } from '../../push/certificate.ts';

const optionalText = (description: string) =>
  Type.Optional(Type.String({ maxLength: 256, pattern: STORABLE, description }));

export const adminCertificateCallback = {
  method: 'POST',
  path: '/admin/certificate/callback',
  summary: 'Get the callback path for a vendor',
  description:
    'Returns the path of the callback URL, to which a vendor sends receipts. The callback URL is the public URL of this API followed by this path. Save it in the console of Huawei, Honor, vivo or Meizu. Carillon sends it with each message to Xiaomi, OPPO and Meizu. The first call generates the path, which stays the same until you set `renew`. APNs and FCM do not send callbacks, so the call is rejected for them; use `/device/receipt` instead.',
  access: 'admin',
  scope: 'secrets',
  audit: ['provider', 'renew'],
  body: Type.Object({
    provider: providerField,
    renew: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Set to true if the path has leaked. Carillon then generates a new path, and the old one stops working.',
      }),
    ),
    user_name: optionalText(
      'Huawei: the callback user name in its console. Meizu: any value. If set, Carillon accepts only signed callbacks.',
    ),
    key: optionalText('Huawei: the callback key that belongs to `user_name`. Meizu: the secret string in its console.'),
    signed: Type.Optional(
      Type.Boolean({
        description:
          'Set to false if you removed the user name and the key at the vendor. Carillon then accepts unsigned callbacks.',
      }),
    ),
  }),
  data: Type.Object({
    path: Type.String({ description: 'Path of the callback URL. Keep it secret.' }),
    signed: Type.Boolean({ description: 'Whether callbacks must be signed.' }),
  }),
  problems: ['too-many-requests'],
  examples: [
    {
      name: 'Huawei',
      body: { provider: 2 },
      data: { path: '/callback/huawei/bMkXhVQ9v4xQ1cWl9dEo4gS0Nq7yT2uZaPfRrJtK3sE', signed: false },
    },
  ],
} as const satisfies Operation;
