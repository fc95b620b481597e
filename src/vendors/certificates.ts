import type { Environment, Vendor as VendorName } from '#src/domain/channel.ts';
import { checkApns } from './apns/credentials.ts';
import { checkFcm } from './fcm/credentials.ts';
import { checkFlyme } from './flyme/credentials.ts';
import { checkHonor } from './honor/credentials.ts';
import { checkHuawei } from './huawei/credentials.ts';
import { checkOppo, oppoClientSecret } from './oppo/credentials.ts';
import { checkVivo } from './vivo/credentials.ts';
import { checkXiaomi } from './xiaomi/credentials.ts';

/** What an operator enters for a vendor; a text that was not given is empty. */
export interface GivenCertificate {
  readonly vendorAppId: string;
  readonly appKey: string;
  readonly appSecret: string;
  readonly certificate: string;
}

export interface CheckedCertificate extends GivenCertificate {
  /** When it stops working by itself; null when it does not. */
  readonly expiresAt: Date | null;
}

type CertificateCheck = (given: GivenCertificate, environment: Environment, now: Date) => CheckedCertificate;

const checks: Readonly<Record<VendorName, CertificateCheck>> = {
  apns: checkApns,
  fcm: checkFcm,
  flyme: checkFlyme,
  honor: checkHonor,
  huawei: checkHuawei,
  oppo: checkOppo,
  vivo: checkVivo,
  xiaomi: checkXiaomi,
};

const clientSecrets: Partial<Record<VendorName, (certificate: string) => string>> = { oppo: oppoClientSecret };

/**
 * What is stored of what was given. Throws a Problem that says what to do in the vendor's own terms and never quotes a
 * secret; nor does it carry a cause, since the errors of parsers quote what they read. `now` is database time.
 */
export function checkCertificate(
  vendor: VendorName,
  environment: Environment,
  given: GivenCertificate,
  now: Date,
): CheckedCertificate {
  return checks[vendor](given, environment, now);
}

/** The secret that the app on the phone needs itself; empty for vendors whose apps need none. */
export function clientSecretOf(vendor: VendorName, certificate: string): string {
  return clientSecrets[vendor]?.(certificate) ?? '';
}
