import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { environmentField, providerField } from '../../push/certificate.ts';

export const checkResult = Type.Union([Type.Literal('good'), Type.Literal('refused'), Type.Literal('unknown')], {
  description:
    '`good`: the provider takes these credentials. `refused`: it does not. `unknown`: it could not be asked just now.',
});

export const adminCertificateCheck = {
  method: 'POST',
  path: '/admin/certificate/check',
  summary: 'Ask the provider whether it takes the credentials',
  description:
    'Signs in at the provider with the saved credentials, as a notification would, and reaches nobody. Takes as long as the provider needs to answer, ten seconds at most.',
  access: 'admin',
  scope: 'manage',
  audit: ['provider', 'environment'],
  body: Type.Object({ provider: providerField, environment: environmentField }),
  data: Type.Object({
    result: checkResult,
    reason: Type.String({ description: "The provider's words when the result is not `good`; else empty." }),
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
