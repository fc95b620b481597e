import { isBlank } from '#src/domain/blank.ts';
import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { allowWord, checkOptions, readOptions, requireRsaKey, requireWord, text } from '../field-checks.ts';

/** App ID and App secret are enough. A project id chooses the newer path, a service account another way to sign in. */
export function checkHuawei(given: GivenCertificate): CheckedCertificate {
  const options = { key_id: text, sub_account: text, project_id: text };
  const certificate = checkOptions(given.certificate, options);
  if (!isBlank(certificate))
    requireRsaKey(
      readOptions(certificate).private_key,
      "certificate must be empty or Huawei's service-account file, the whole JSON. Its private_key is missing or cannot be used.",
    );
  return {
    vendorAppId: requireWord(given.vendorAppId, 'app_id', "Huawei's App ID"),
    appKey: allowWord(given.appKey, 'app_key', 'the project ID, which may be left out'),
    appSecret: requireWord(given.appSecret, 'app_secret', "Huawei's App secret, also called client secret"),
    certificate,
    expiresAt: null,
  };
}
