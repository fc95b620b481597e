import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { certificateRecord, exampleCertificate } from '../../schemas/certificate-record.ts';

export const adminCertificateList = {
  method: 'POST',
  path: '/admin/certificate/list',
  summary: 'List the credentials of the app',
  description:
    'Returns the credentials of the app for all vendors, without secrets. The credentials that expire first come first.',
  access: 'admin',
  scope: 'manage',
  reads: true,
  data: Type.Array(certificateRecord),
  problems: [],
  examples: [{ name: 'all credentials', data: [exampleCertificate] }],
} as const satisfies Operation;
