import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';
import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { requireWord } from '../field-checks.ts';

/** The App ID is in the path of every request; Client ID and Client Secret are what our server signs in with. */
export function checkHonor(given: GivenCertificate): CheckedCertificate {
  if (!isBlank(given.certificate)) throw new Problem('bad-parameter', 'certificate must be empty: Honor has none.');
  return {
    vendorAppId: requireWord(given.vendorAppId, 'app_id', "Honor's App ID"),
    appKey: requireWord(given.appKey, 'app_key', "Honor's Client ID"),
    appSecret: requireWord(given.appSecret, 'app_secret', "Honor's Client Secret, not the App Secret"),
    certificate: '',
    expiresAt: null,
  };
}
