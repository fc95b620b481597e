import { Type } from 'typebox';
import { type Operation, STORABLE } from '../operation.ts';
import { environmentField, providerField } from '../push/certificate.ts';
import { deviceField, emptyData } from '../schemas/fields.ts';

export const deviceBind = {
  method: 'POST',
  path: '/device/bind',
  summary: 'Bind a vendor token to a device',
  description:
    'Registers the token that a vendor issued for a device. A vendor token belongs to the device that registered it last. A device has one vendor token per vendor, and a new one replaces the previous one.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'provider', 'environment'],
  body: Type.Object({
    provider: providerField,
    token: Type.String({
      maxLength: 4_096,
      pattern: STORABLE,
      description:
        'Vendor token of the device, unchanged. A token that contains characters that the vendor does not use, such as commas or spaces, is rejected. Web Push: the JSON of the subscription, as `JSON.stringify(subscription)` returns it.',
    }),
    environment: environmentField,
    push_token: deviceField,
  }),
  data: emptyData,
  problems: ['no-such-device'],
  examples: [
    {
      name: 'an APNs token',
      body: { provider: 1, token: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c' },
      data: {},
    },
  ],
} as const satisfies Operation;
