import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { certificateRecord, exampleCertificate } from '../../schemas/certificate-record.ts';

export const adminCertificateList = {
  method: 'POST',
  path: '/admin/certificate/list',
  summary: 'List the credentials of the app',
  description: 'Returns all vendor credentials without their secrets, ordered by expiry, soonest first.',
  access: 'admin',
  scope: 'manage',
  data: Type.Array(certificateRecord),
  problems: [],
  examples: [{ name: 'all', data: [exampleCertificate] }],
} as const satisfies Operation;
