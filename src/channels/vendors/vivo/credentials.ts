import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { checkOptions, requireDigits, requireWord, text } from '../field-checks.ts';

/** All three are sent or signed. */
export function checkVivo(given: GivenCertificate): CheckedCertificate {
  return {
    vendorAppId: requireDigits(given.vendorAppId, 'app_id', "vivo's AppID"),
    appKey: requireWord(given.appKey, 'app_key', "vivo's AppKey"),
    appSecret: requireWord(given.appSecret, 'app_secret', "vivo's AppSecret"),
    certificate: checkOptions(given.certificate, { callback_id: text, category: text }),
    expiresAt: null,
  };
}
