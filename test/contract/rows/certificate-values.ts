import { generateKeyPairSync } from 'node:crypto';
import { issueCertificate, NOW, newKeys } from '../../vendors/apns-test-certificates.ts';

/** Credentials that the vendors could have given out. */

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A key of Apple's for tokens, as a p8 file has it. */
export const p8 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** Another, of the wrong curve. */
export const wrongCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** A push certificate of Apple's with its key, which is good for so many more days. */
export function pushPem(days: number): string {
  const today = Math.floor((Date.now() - NOW.getTime()) / DAY_MS);
  const { pem, keys } = issueCertificate({ validDays: [today - 10, today + days] });
  return `${keys.privatePem}${pem}`;
}
/** Whom `pushPem` is made for. */
export const BUNDLE_ID = 'com.example.bells';

/** The file that Firebase lets an operator download. */
export const serviceAccount = JSON.stringify({
  type: 'service_account',
  project_id: 'bells-project',
  client_email: 'bells@bells-project.iam.gserviceaccount.com',
  private_key: newKeys().privatePem,
});
