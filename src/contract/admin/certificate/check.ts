import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { environmentField, providerField } from '../../push/certificate.ts';

export const checkResult = Type.Union([Type.Literal('good'), Type.Literal('refused'), Type.Literal('unknown')], {
  description:
    '`good`: the vendor accepts the credentials. `refused`: the vendor rejects the credentials. `unknown`: the credentials could not be checked, for example because the vendor did not respond.',
});

export const adminCertificateCheck = {
  method: 'POST',
  path: '/admin/certificate/check',
  summary: 'Check credentials with the vendor',
  description:
    'Authenticates at the vendor with the saved credentials, without sending a notification to a device. The call lasts until the vendor responds, at most ten seconds.',
  access: 'admin',
  scope: 'manage',
  translates: true,
  audit: ['provider', 'environment'],
  body: Type.Object({ provider: providerField, environment: environmentField }),
  data: Type.Object({
    result: checkResult,
    reason: Type.String({
      description: 'Reason for the result, usually the error of the vendor. Empty if the result is `good`.',
    }),
    default_url: Type.Boolean({
      description:
        'Whether Carillon calls the default URL of the vendor. False if a setting replaces the URL, for example with the URL of a simulator or a reverse proxy.',
    }),
  }),
  problems: ['no-certificate'],
  examples: [
    {
      name: 'Honor',
      body: { provider: 8 },
      data: { result: 'unknown', reason: 'no connection', default_url: true },
    },
  ],
} as const satisfies Operation;
