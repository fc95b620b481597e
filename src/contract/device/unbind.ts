import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { providerField } from '../push/certificate.ts';
import { deviceField, emptyData } from '../schemas/fields.ts';

export const deviceUnbind = {
  method: 'POST',
  path: '/device/unbind',
  summary: "End a device's token at a vendor",
  description:
    'The device is not reached by this vendor any more. A device that has no token there stays as it is, and the answer is the same.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'provider'],
  body: Type.Object({ provider: providerField, push_token: deviceField }),
  data: emptyData,
  problems: ['no-such-device'],
  examples: [{ name: 'the APNs token', body: { provider: 1 }, data: {} }],
} as const satisfies Operation;
