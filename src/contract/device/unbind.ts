import { Type } from 'typebox';
import type { Operation } from '../operation.ts';
import { providerField } from '../push/certificate.ts';
import { deviceField, emptyData } from '../schemas/fields.ts';

export const deviceUnbind = {
  method: 'POST',
  path: '/device/unbind',
  summary: 'Unbind a vendor token from a device',
  description:
    'Carillon then no longer sends notifications to the device through this vendor. If the device has no token of this vendor, the call also succeeds.',
  access: 'token',
  scope: 'manage',
  audit: ['push_token', 'provider'],
  body: Type.Object({ provider: providerField, push_token: deviceField }),
  data: emptyData,
  problems: ['no-such-device'],
  examples: [{ name: 'the APNs token', body: { provider: 1 }, data: {} }],
} as const satisfies Operation;
