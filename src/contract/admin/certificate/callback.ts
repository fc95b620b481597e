import { Type } from 'typebox';
import { type Operation, STORABLE } from '../../operation.ts';
import { providerField } from '../../push/certificate.ts';

const optionalText = (description: string) =>
  Type.Optional(Type.String({ maxLength: 256, pattern: STORABLE, description }));

export const adminCertificateCallback = {
  method: 'POST',
  path: '/admin/certificate/callback',
  summary: 'Where a provider tells what has arrived',
  description:
    'Answers the path to enter as callback address at the provider, after the public address of this API. It is made at the first call and stays the same until `renew`. Providers without callbacks (APNs, FCM) are refused: their apps tell by `/device/receipt`.',
  access: 'admin',
  scope: 'secrets',
  audit: ['provider', 'renew'],
  body: Type.Object({
    provider: providerField,
    renew: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True: the old path ends, because somebody else knows it.',
      }),
    ),
    user_name: optionalText(
      'The callback user name, if one is entered at Huawei; then only signed callbacks are taken.',
    ),
    key: optionalText('The callback key that belongs to it.'),
    signed: Type.Optional(
      Type.Boolean({
        description: 'False: user name and key were taken away at the provider, and callbacks are not signed any more.',
      }),
    ),
  }),
  data: Type.Object({
    path: Type.String({ description: 'The path of the callback address. Keep it secret.' }),
    signed: Type.Boolean({ description: 'Whether callbacks must be signed.' }),
  }),
  problems: [],
  examples: [
    {
      name: 'Huawei',
      body: { provider: 2 },
      data: { path: '/callback/huawei/bMkXhVQ9v4xQ1cWl9dEo4gS0Nq7yT2uZaPfRrJtK3sE', signed: false },
    },
  ],
} as const satisfies Operation;
