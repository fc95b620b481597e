import { Type } from 'typebox';
import type { Operation } from '../../operation.ts';
import { certificateRecord, exampleCertificate } from '../../schemas/certificate-record.ts';

export const adminCertificateList = {
  method: 'POST',
  path: '/admin/certificate/list',
  summary: "The app's credentials at providers",
  description: 'All of them, without what is secret, those that expire soonest first.',
  access: 'admin',
  scope: 'manage',
  data: Type.Array(certificateRecord),
  problems: [],
  examples: [{ name: 'all', data: [exampleCertificate] }],
} as const satisfies Operation;
