import { adminCertificateCheck } from '#src/contract/admin/certificate/check.ts';
import { type Environment, type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { open } from '#src/foundation/sealed-box.ts';
import { certificateContext, findCertificates } from '#src/storage/accounts/certificates.ts';
import { checkAccount } from '#src/vendors/check-account.ts';
import { hasDefaultUrls } from '#src/vendors/default-urls.ts';
import { translateAdvice } from '#src/vendors/translate-advice.ts';
import type { Route } from '../../../context.ts';

export const adminCertificateCheckRoute: Route<typeof adminCertificateCheck> = {
  operation: adminCertificateCheck,
  handle: async ({ storage, keyrings, settings, clock }, { app, body, language }) => {
    const channel = vendorByProvider[body.provider] as VendorName;
    const environment = (body.environment ?? 1) as Environment;
    const certificates = await findCertificates(storage.home, app.appId);
    const row = certificates.find(
      (candidate) => candidate.channel === channel && candidate.environment === environment,
    );
    if (!row) throw new Problem('no-certificate');
    const account = {
      ...row,
      appSecret: open(keyrings.credentials, certificateContext(row, 'app_secret'), row.appSecret),
      certificate: open(keyrings.credentials, certificateContext(row, 'certificate'), row.certificate),
    };
    const check = await checkAccount(settings, channel, account, clock.now());
    return {
      result: check.kind,
      reason: check.kind === 'good' ? '' : translateAdvice(channel, check.reason, language),
      default_url: hasDefaultUrls(settings, channel, environment),
    };
  },
};
