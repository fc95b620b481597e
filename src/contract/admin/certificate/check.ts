import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { environmentField, providerField } from '../../push/certificate.ts';

export const checkResult = Type.Union([Type.Literal('good'), Type.Literal('refused'), Type.Literal('unknown')], {
  description:
    '`good`: the vendor accepts these credentials. `refused`: the vendor rejects them. `unknown`: they could not be checked now.',
});

export const adminCertificateCheck = {
  method: 'POST',
  path: '/admin/certificate/check',
  summary: 'Check credentials with the vendor',
  description:
    'Authenticates at the vendor with the saved credentials, as for a notification, but reaches no device. Takes as long as the vendor needs to respond, at most ten seconds.',
  access: 'admin',
  scope: 'manage',
  audit: ['provider', 'environment'],
  body: Type.Object({ provider: providerField, environment: environmentField }),
  data: Type.Object({
    result: checkResult,
    reason: Type.String({ description: 'Reason given by the vendor if the result is not `good`; otherwise empty.' }),
  }),
  problems: ['no-certificate'],
  examples: [
    {
      name: 'Honor',
      body: { provider: 8 },
      data: { result: 'unknown', reason: 'no connection' },
    },
  ],
} as const satisfies Operation;
