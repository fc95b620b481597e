import { adminCertificateCheck } from '#src/contract/admin/certificate/check.ts';
import { type Environment, type Vendor, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { certificateContext, findCertificates } from '#src/storage/accounts/certificates.ts';
import { checkAccount } from '#src/vendors/sender.ts';
import type { Route } from '../../../context.ts';

export const adminCertificateCheckRoute: Route<typeof adminCertificateCheck> = {
  operation: adminCertificateCheck,
  handle: async ({ truth, keyring, settings, clock }, { app, body }) => {
    const channel = vendorByProvider[body.provider] as Vendor;
    const environment = (body.environment ?? 1) as Environment;
    const certificates = await findCertificates(truth.home, app.appId);
    const found = certificates.find((one) => one.channel === channel && one.environment === environment);
    if (!found) throw new Problem('no-certificate');
    const account = {
      ...found,
      appSecret: open(keyring, certificateContext(found, 'app_secret'), found.appSecret),
      certificate: open(keyring, certificateContext(found, 'certificate'), found.certificate),
    };
    const check = await checkAccount(settings, channel, account, clock.now());
    return { result: check.kind, reason: check.kind === 'good' ? '' : check.reason };
  },
};
