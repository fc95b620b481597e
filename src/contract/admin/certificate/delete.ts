import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { environmentField, providerField } from '../../push/certificate.ts';
import { emptyData } from '../../schemas/fields.ts';

export const adminCertificateDelete = {
  method: 'POST',
  path: '/admin/certificate/delete',
  summary: 'Delete the credentials for a vendor',
  description:
    'Carillon then no longer sends notifications through this vendor in this environment. All workers apply the change within three seconds.',
  access: 'admin',
  scope: 'manage',
  audit: ['provider', 'environment'],
  body: Type.Object({ provider: providerField, environment: environmentField }),
  data: emptyData,
  problems: ['no-certificate'],
  examples: [{ name: 'Honor', body: { provider: 8 }, data: {} }],
} as const satisfies Operation;
