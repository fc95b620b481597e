import { adminCertificateSave } from '#src/contract/admin/certificate/save.ts';
import { isBlank } from '#src/domain/blank.ts';
import { type Environment, type VendorName, vendorByProvider } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { open, seal } from '#src/foundation/sealed-box.ts';
import { certificateContext, findCertificates, saveCertificate } from '#src/storage/accounts/certificates.ts';
import { checkAccount } from '#src/vendors/check-account.ts';
import { checkCertificate } from '#src/vendors/check-certificate.ts';
import { vendorRegistry } from '#src/vendors/registry.ts';
import type { CertificateInput } from '#src/vendors/vendor.ts';
import type { ApiContext, Route } from '../../../context.ts';
import { toCertificateRecord } from '../../../records/certificate-record.ts';

/** Saved versions start at 1. */
const UNSAVED_VERSION = 0;

export const adminCertificateSaveRoute: Route<typeof adminCertificateSave> = {
  operation: adminCertificateSave,
  handle: async ({ storage, keyrings, clock, settings }, { app, body }) => {
    const { provider, environment = 1, name, app_id = '', app_key = '', app_secret = '', certificate = '' } = body;
    const row = {
      appId: app.appId,
      channel: vendorByProvider[provider] as VendorName,
      environment: environment as Environment,
    };
    const keys = { appKey: app_key, appSecret: app_secret };
    const isKeyless = isBlank(app_key) && isBlank(app_secret);
    const credentials = await checkCertificate(app.appId, {
      channel: row.channel,
      input: {
        vendorAppId: app_id,
        certificate,
        ...keys,
        ...(isKeyless && (await keptKeys({ storage, keyrings }, row))),
      },
      environment: row.environment,
      now: clock.now(),
    });
    if (body.check ?? true) {
      const check = await checkAccount(
        settings,
        row.channel,
        { ...row, ...credentials, version: UNSAVED_VERSION },
        clock.now(),
      );
      if (check.kind === 'refused')
        throw new Problem(
          'bad-parameter',
          `The vendor rejected these credentials (${check.reason}). Nothing was saved. Set check to false to save them anyway.`,
        );
    }
    const saved = await saveCertificate(storage.home, {
      ...row,
      name,
      vendorAppId: credentials.vendorAppId,
      appKey: credentials.appKey,
      appSecret: seal(keyrings.credentials, certificateContext(row, 'app_secret'), credentials.appSecret),
      certificate: seal(keyrings.credentials, certificateContext(row, 'certificate'), credentials.certificate),
      expiresAt: credentials.expiresAt,
      perSecond: body.per_second ?? null,
    });
    return toCertificateRecord(saved);
  },
};

/** Returns the keys of the credentials that are being replaced, if the vendor's tokens are valid only with them. */
async function keptKeys(
  { storage, keyrings }: Pick<ApiContext, 'storage' | 'keyrings'>,
  { appId, channel, environment }: { appId: string; channel: VendorName; environment: Environment },
): Promise<Partial<CertificateInput>> {
  if (!vendorRegistry[channel].keepsKeys) return {};
  const certificates = await findCertificates(storage.home, appId);
  const saved = certificates.find((each) => each.channel === channel && each.environment === environment);
  if (!saved) return {};
  const appSecret = open(keyrings.credentials, certificateContext(saved, 'app_secret'), saved.appSecret);
  return { appKey: saved.appKey, appSecret };
}
