import { adminCertificateList } from '#src/contract/admin/certificate-list.ts';
import { findCertificates } from '#src/truth/certificates.ts';
import { toCertificateRecord } from '../../certificate-record.ts';
import type { Route } from '../../context.ts';

export const adminCertificateListRoute: Route<typeof adminCertificateList> = {
  operation: adminCertificateList,
  handle: async ({ truth }, { app }) => (await findCertificates(truth.home, app.appId)).map(toCertificateRecord),
};
