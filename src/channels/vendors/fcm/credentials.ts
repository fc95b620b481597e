import { Problem } from '#src/domain/problem.ts';
import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { readObject, requireRsaKey, requireWord, textOf } from '../field-checks.ts';

const HINT = 'certificate must be the service-account file of Firebase, the whole JSON.';

/** Everything is in the service-account file that Firebase lets an operator download. */
export function checkFcm({ vendorAppId, certificate }: GivenCertificate): CheckedCertificate {
  const account = readObject(certificate, HINT);
  if (account.type !== 'service_account')
    throw new Problem(
      'bad-parameter',
      `${HINT} Its type must be service_account; google-services.json is another file.`,
    );
  requireRsaKey(account.private_key, `${HINT} Its private_key is missing or cannot be used.`);
  const projectId = requireWord(textOf(account.project_id), 'project_id in certificate', 'the project of Firebase');
  if (vendorAppId.trim() !== '' && vendorAppId.trim() !== projectId)
    throw new Problem('bad-parameter', `app_id must be empty or the project of the file, ${projectId}.`);
  return {
    vendorAppId: projectId,
    appKey: requireWord(textOf(account.client_email), 'client_email in certificate', 'the service account'),
    appSecret: '',
    certificate,
    expiresAt: null,
  };
}
