import {
  booleanOption,
  checkOptions,
  oneOfOption,
  readOptions,
  requireDigits,
  requireWord,
  stringListOption,
  stringOption,
} from '../tokens/credential-checks.ts';
import type { CertificateInput, CheckedCertificate, VendorAccount } from '../vendor.ts';

export interface FlymeCredentials {
  readonly appId: string;
  readonly appSecret: string;
  /** 0: public, of which a phone gets a few a day. 1: private, such as chat and orders. */
  readonly noticeMsgType: 0 | 1;
  /** For apps that have several packages: those that are meant. Empty: all. */
  readonly packageNames: readonly string[];
}

/** Meizu gives out no tokens: every request is signed. What cannot be read is found out before one is made. */
export function flymeTokenSource({ certificate }: VendorAccount): undefined {
  readOptions(certificate);
}

export function flymeCredentials({ vendorAppId, appSecret, certificate }: VendorAccount): FlymeCredentials {
  const { notice_msg_type, package_names } = readOptions(certificate);
  return {
    appId: vendorAppId,
    appSecret,
    noticeMsgType: notice_msg_type === 1 ? 1 : 0,
    packageNames: Array.isArray(package_names) ? (package_names as string[]) : [],
  };
}

/** The AppSecret signs, the AppKey is for the app on the phone. */
export function checkFlymeCertificate(input: CertificateInput): CheckedCertificate {
  return {
    vendorAppId: requireDigits(input.vendorAppId, 'app_id', "Meizu's AppId"),
    appKey: requireWord(input.appKey, 'app_key', "Meizu's AppKey"),
    appSecret: requireWord(input.appSecret, 'app_secret', "Meizu's AppSecret"),
    certificate: checkOptions(input.certificate, {
      receipt_access_token: stringOption,
      vip: booleanOption,
      notice_msg_type: oneOfOption(0, 1),
      package_names: stringListOption,
    }),
    expiresAt: null,
  };
}
