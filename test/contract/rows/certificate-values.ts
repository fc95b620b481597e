import { generateKeyPairSync } from 'node:crypto';
import { issueCertificate, NOW, newKeys } from '../../vendors/apns-test-certificates.ts';

/** Credentials in the formats that the vendors issue. */

const DAY_MS = 24 * 60 * 60 * 1_000;

/** An APNs authentication key in the format of a .p8 file. */
export const p8 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** An APNs authentication key with the wrong curve. */
export const wrongCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** Returns an APNs push certificate with its private key. The certificate is valid for another `days` days. */
export function pushPem(days: number): string {
  const today = Math.floor((Date.now() - NOW.getTime()) / DAY_MS);
  const { pem, keys } = issueCertificate({ validDays: [today - 10, today + days] });
  return `${keys.privatePem}${pem}`;
}
/** The bundle ID in the certificates of `pushPem`. */
export const BUNDLE_ID = 'com.example.bells';

/** A service-account file as Huawei offers it for download. */
export const huaweiServiceAccount = JSON.stringify({
  project_id: '736430079244001',
  key_id: 'key-1',
  sub_account: '1107',
  private_key: newKeys().privatePem,
});

/** A service-account file as Firebase offers it for download. */
export const serviceAccount = JSON.stringify({
  type: 'service_account',
  project_id: 'bells-project',
  client_email: 'bells@bells-project.iam.gserviceaccount.com',
  private_key: newKeys().privatePem,
});
