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
  /**
   * 0 for public messages, which have a daily limit per device. 1 for private messages, for example chats and orders.
   */
  readonly noticeMsgType: 0 | 1;
  /** Target packages, for apps that have several. Empty means all packages. */
  readonly packageNames: readonly string[];
}

/**
 * Returns undefined, because Meizu issues no tokens: every request is signed. Throws if the credentials cannot be read,
 * before a request is created.
 */
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

/** Checks Meizu's credentials. The AppSecret signs requests; the AppKey is for the app on the phone. */
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
