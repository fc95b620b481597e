import { pushCertificate } from '#src/contract/push/certificate.ts';
import { type Environment, type Vendor, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { certificateContext, findCertificates } from '#src/storage/accounts/certificates.ts';
import { clientSecretOf } from '#src/vendors/certificates.ts';
import type { Route } from '../../context.ts';
import { limitSecretReads } from '../../http/limit-secret-reads.ts';

/** An admin token gets the secrets; a user token gets the same fields with the server's secrets empty. */
export const pushCertificateRoute: Route<typeof pushCertificate> = {
  operation: pushCertificate,
  before: limitSecretReads,
  handle: async (context, { caller, query, header }) => {
    const channel = vendorByProvider[query.provider] as Vendor;
    const environment = (query.environment ?? 1) as Environment;
    const certificates = await findCertificates(context.truth.home, caller.appId);
    const found = certificates.find((c) => c.channel === channel && c.environment === environment);
    if (!found) throw new Problem('no-certificate');
    header('cache-control', 'no-store');
    const secret = (field: 'app_secret' | 'certificate', box: Buffer) =>
      open(context.keyring, certificateContext(found, field), box);
    const certificate = secret('certificate', found.certificate);
    return {
      app_id: found.vendorAppId,
      app_key: found.appKey,
      ...(caller.kind === 'user'
        ? { app_secret: clientSecretOf(channel, certificate), certificate: '' }
        : { app_secret: secret('app_secret', found.appSecret), certificate }),
      name: found.name,
    };
  },
};
