import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { checkOptions, flag, oneOf, requireDigits, requireWord, text, texts } from '../field-checks.ts';

/** The AppSecret signs, the AppKey is for the app on the phone. */
export function checkFlyme(given: GivenCertificate): CheckedCertificate {
  return {
    vendorAppId: requireDigits(given.vendorAppId, 'app_id', "Meizu's AppId"),
    appKey: requireWord(given.appKey, 'app_key', "Meizu's AppKey"),
    appSecret: requireWord(given.appSecret, 'app_secret', "Meizu's AppSecret"),
    certificate: checkOptions(given.certificate, {
      receipt_access_token: text,
      vip: flag,
      notice_msg_type: oneOf(0, 1),
      package_names: texts,
    }),
    expiresAt: null,
  };
}
