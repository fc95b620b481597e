import type { Environment, VendorName } from '#src/domain/channel.ts';
import { checkApnsCertificate } from './apns/credentials.ts';
import { checkFcmCertificate } from './fcm/credentials.ts';
import { checkFlymeCertificate } from './flyme/credentials.ts';
import { checkHonorCertificate } from './honor/credentials.ts';
import { checkHuaweiCertificate } from './huawei/credentials.ts';
import { checkOppoCertificate, oppoClientSecret } from './oppo/credentials.ts';
import { checkVivoCertificate } from './vivo/credentials.ts';
import { checkXiaomiCertificate } from './xiaomi/credentials.ts';

/** What an operator enters for a vendor; a text that was not given is empty. */
export interface CertificateInput {
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly certificate: string;
}

export interface CheckedCertificate extends CertificateInput {
  /** When it stops working by itself; null when it does not. */
  readonly expiresAt: Date | null;
}

type CertificateCheck = (input: CertificateInput, environment: Environment, now: Date) => CheckedCertificate;

const checks: Readonly<Record<VendorName, CertificateCheck>> = {
  apns: checkApnsCertificate,
  fcm: checkFcmCertificate,
  flyme: checkFlymeCertificate,
  honor: checkHonorCertificate,
  huawei: checkHuaweiCertificate,
  oppo: checkOppoCertificate,
  vivo: checkVivoCertificate,
  xiaomi: checkXiaomiCertificate,
};

const clientSecrets: Partial<Record<VendorName, (certificate: string) => string>> = { oppo: oppoClientSecret };

/**
 * What is stored of what was given. Throws a Problem that says what to do in the vendor's own terms and never quotes a
 * secret; nor does it carry a cause, since the errors of parsers quote what they read. `now` is database time.
 */
export function checkCertificate(
  vendor: VendorName,
  environment: Environment,
  input: CertificateInput,
  now: Date,
): CheckedCertificate {
  return checks[vendor](input, environment, now);
}

/** The secret that the app on the phone needs itself; empty for vendors whose apps need none. */
export function clientSecretOf(vendor: VendorName, certificate: string): string {
  return clientSecrets[vendor]?.(certificate) ?? '';
}
