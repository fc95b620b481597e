import { adminCertificateDelete } from '#src/contract/admin/certificate/delete.ts';
import { type Environment, type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { deleteCertificate } from '#src/storage/accounts/certificates.ts';
import type { Route } from '../../../context.ts';

export const adminCertificateDeleteRoute: Route<typeof adminCertificateDelete> = {
  operation: adminCertificateDelete,
  handle: async ({ storage }, { app, body }) => {
    const channel = vendorByProvider[body.provider] as VendorName;
    const environment = (body.environment ?? 1) as Environment;
    if (!(await deleteCertificate(storage.home, { appId: app.appId, channel, environment })))
      throw new Problem('no-certificate');
    return {};
  },
};
