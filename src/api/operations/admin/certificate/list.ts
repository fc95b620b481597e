import { adminCertificateList } from '#src/contract/admin/certificate/list.ts';
import { findCertificates } from '#src/storage/accounts/certificates.ts';
import type { Route } from '../../../context.ts';
import { toCertificateRecord } from '../../../records/certificate-record.ts';

export const adminCertificateListRoute: Route<typeof adminCertificateList> = {
  operation: adminCertificateList,
  handle: async ({ storage }, { app }) => (await findCertificates(storage.home, app.appId)).map(toCertificateRecord),
};
