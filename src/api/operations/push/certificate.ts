import { pushCertificate } from '#src/contract/push/certificate.ts';
import { type Environment, type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { certificateContext, findCertificates } from '#src/storage/accounts/certificates.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { Route } from '../../context.ts';
import { limitSecretReads } from '../../http/limit-secret-reads.ts';

/** An admin token gets the secrets; a user token gets the same fields with the server's secrets empty. */
export const pushCertificateRoute: Route<typeof pushCertificate> = {
  operation: pushCertificate,
  precheck: limitSecretReads,
  handle: async (context, { caller, query, setHeader }) => {
    const channel = vendorByProvider[query.provider] as VendorName;
    const environment = (query.environment ?? 1) as Environment;
    const certificates = await findCertificates(context.storage.home, caller.appId);
    const row = certificates.find((c) => c.channel === channel && c.environment === environment);
    if (!row) throw new Problem('no-certificate');
    setHeader('cache-control', 'no-store');
    const openSecret = (field: 'app_secret' | 'certificate', box: Buffer) =>
      open(context.keyrings.credentials, certificateContext(row, field), box);
    const certificate = openSecret('certificate', row.certificate);
    return {
      app_id: row.vendorAppId,
      app_key: row.appKey,
      ...(caller.kind === 'user'
        ? { app_secret: vendorRegistry[channel].clientSecret?.(certificate) ?? '', certificate: '' }
        : { app_secret: openSecret('app_secret', row.appSecret), certificate }),
      name: row.name,
    };
  },
};
