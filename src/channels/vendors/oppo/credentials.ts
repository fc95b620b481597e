import { Problem } from '#src/domain/problem.ts';
import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { checkOptions, oneOf, readOptions, requireWord, text, textOf } from '../field-checks.ts';

/** OPPO issues two secrets: the MasterSecret is our server's, the AppSecret belongs into the app on the phone. */
export function checkOppo(given: GivenCertificate): CheckedCertificate {
  const masterSecret = requireWord(given.appSecret, 'app_secret', "OPPO's MasterSecret, not the AppSecret");
  const certificate = checkOptions(given.certificate, {
    app_secret: text,
    channel_id: text,
    category: text,
    notify_level: oneOf(1, 2, 16),
  });
  // Every phone is told the AppSecret, so whoever confuses the two would hand out the server's.
  if (oppoClientSecret(certificate) === masterSecret)
    throw new Problem(
      'bad-parameter',
      "app_secret must be OPPO's MasterSecret, and app_secret in the JSON of certificate the AppSecret: here they are the same.",
    );
  return {
    vendorAppId: requireWord(given.vendorAppId, 'app_id', "OPPO's AppID"),
    appKey: requireWord(given.appKey, 'app_key', "OPPO's AppKey"),
    appSecret: masterSecret,
    certificate,
    expiresAt: null,
  };
}

/** Of a certificate that was checked when it was saved. */
export function oppoClientSecret(certificate: string): string {
  return textOf(readOptions(certificate).app_secret).trim();
}
