import { createHash } from 'node:crypto';
import { stringifyJson } from '#src/foundation/json.ts';
import {
  checkOptions,
  readOptions,
  requireDigits,
  requireWord,
  stringOption,
  stringOrEmpty,
} from '../tokens/credential-checks.ts';
import type { CertificateInput, CheckedCertificate, TokenSource, VendorAccount } from '../vendor.ts';
import { vivoToken } from './outcomes.ts';

export interface VivoCredentials {
  /** A number in every body. */
  readonly appId: bigint;
  readonly authToken: string;
  /** Test messages reach only the phones that the console lists for it. */
  readonly isTest: boolean;
  /** Where vivo tells what has arrived: an address that the console has a number for. */
  readonly callbackId: string | undefined;
  /** For messages that do not say their own. */
  readonly category: string | undefined;
}

/** A token that is refused when it is so young is not too old. vivo gives an app ten in a second. */
const RENEW_AFTER_SECONDS = 60;

/** vivo gives a token for a signature over the time and all three secrets. */
export function vivoTokenSource({ vendorAppId, appKey, appSecret, certificate }: VendorAccount): TokenSource {
  readOptions(certificate); // what cannot be read is found out before anything is asked for
  const appId = BigInt(vendorAppId);
  return {
    kind: 'requested',
    cacheKeyParts: [vendorAppId, appKey, appSecret],
    renewAfterSeconds: RENEW_AFTER_SECONDS,
    toRequest: async (now) => {
      const timestamp = now.getTime();
      const sign = signVivo(vendorAppId, appKey, timestamp, appSecret);
      return {
        path: '/message/auth',
        headers: { 'content-type': 'application/json;charset=UTF-8' },
        body: stringifyJson({ appId, appKey, timestamp, sign }),
      };
    },
    toToken: vivoToken,
  };
}

/** MD5 is vivo's choice; the connection is what keeps the secret. */
export function signVivo(appId: string, appKey: string, timestampMs: number, appSecret: string): string {
  return createHash('md5').update(`${appId}${appKey}${timestampMs}${appSecret}`).digest('hex');
}

export function vivoCredentials(account: VendorAccount, providerToken: string | undefined): VivoCredentials {
  const { callback_id, category } = readOptions(account.certificate);
  return {
    appId: BigInt(account.vendorAppId),
    authToken: providerToken ?? '',
    isTest: account.environment === 0,
    callbackId: stringOrEmpty(callback_id) || undefined,
    category: stringOrEmpty(category) || undefined,
  };
}

/** All three are sent or signed. */
export function checkVivoCertificate(input: CertificateInput): CheckedCertificate {
  return {
    vendorAppId: requireDigits(input.vendorAppId, 'app_id', "vivo's AppID"),
    appKey: requireWord(input.appKey, 'app_key', "vivo's AppKey"),
    appSecret: requireWord(input.appSecret, 'app_secret', "vivo's AppSecret"),
    certificate: checkOptions(input.certificate, { callback_id: stringOption, category: stringOption }),
    expiresAt: null,
  };
}
