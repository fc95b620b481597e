import { pushCertificate } from '#src/contract/push-certificate.ts';
import { requireScope } from '#src/domain/caller.ts';
import { type Environment, type Vendor, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { certificateContext, findCertificates } from '#src/truth/certificates.ts';
import type { Route } from '../context.ts';

/** An admin token with the scope gets the secrets; a user token gets the same fields with the server's secrets empty. */
export const pushCertificateRoute: Route<typeof pushCertificate> = {
  operation: pushCertificate,
  handle: async ({ truth, keyring }, { caller, query, header }) => {
    const channel = vendorByProvider[query.provider] as Vendor;
    const environment = (query.environment ?? 1) as Environment;
    if (caller.kind !== 'user') requireScope(caller, 'secrets');
    const certificates = await findCertificates(truth.home, caller.appId);
    const found = certificates.find((c) => c.channel === channel && c.environment === environment);
    if (!found) throw new Problem('no-certificate');
    header('cache-control', 'no-store');
    const secret = (field: 'app_secret' | 'certificate', box: Buffer) =>
      caller.kind === 'user' ? '' : open(keyring, certificateContext(found, field), box);
    return {
      app_id: found.vendorAppId,
      app_key: found.appKey,
      app_secret: secret('app_secret', found.appSecret),
      certificate: secret('certificate', found.certificate),
      name: found.name,
    };
  },
};
