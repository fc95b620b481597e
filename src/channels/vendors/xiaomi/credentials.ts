import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { checkOptions, requireWord, text, texts } from '../field-checks.ts';

/** Our server needs the AppSecret alone; AppID and AppKey are for the app on the phone, which asks us for them. */
export function checkXiaomi(given: GivenCertificate): CheckedCertificate {
  return {
    vendorAppId: requireWord(given.vendorAppId, 'app_id', "Xiaomi's AppID"),
    appKey: requireWord(given.appKey, 'app_key', "Xiaomi's AppKey"),
    appSecret: requireWord(given.appSecret, 'app_secret', "Xiaomi's AppSecret"),
    certificate: checkOptions(given.certificate, { package_names: texts, channel_id: text, template_id: text }),
    expiresAt: null,
  };
}
