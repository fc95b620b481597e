import { createHash } from 'node:crypto';
import { stringifyJson } from '#src/foundation/json.ts';
import {
  booleanOption,
  checkOptions,
  oneOfOption,
  readOptions,
  requireDigits,
  requireWord,
  stringOption,
  stringOrEmpty,
} from '../tokens/credential-checks.ts';
import type { CertificateInput, CheckedCertificate, TokenSource, VendorAccount } from '../vendor.ts';
import { vivoToken } from './outcomes.ts';

export interface VivoCredentials {
  /** Sent as a number in every body. */
  readonly appId: bigint;
  readonly authToken: string;
  /** Test messages reach only the devices that the console lists as test devices. */
  readonly isTest: boolean;
  /** The number that the console has assigned to the callback URL, to which vivo reports deliveries. */
  readonly callbackId: string | undefined;
  /** Default category for messages that do not set one. */
  readonly category: string | undefined;
  /** Kind of messages that set neither a kind nor a class: operational (0) or system (1). */
  readonly defaultClassification: 0 | 1;
  /** vivo has granted the app the permission to increase the number on its icon. */
  readonly addsBadge: boolean;
}

/**
 * If vivo rejects a token before this age, the token has not expired, so the credentials are wrong. vivo issues at most
 * ten tokens per second to an app.
 */
const RENEW_AFTER_SECONDS = 60;

/** Requests tokens with a signature over the time, the AppID, the AppKey and the AppSecret. */
export function vivoTokenSource({ vendorAppId, appKey, appSecret, certificate }: VendorAccount): TokenSource {
  readOptions(certificate); // throws if the credentials cannot be read
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

/** Returns the signature of a token request. vivo requires MD5; only TLS protects the secret. */
export function signVivo(appId: string, appKey: string, timestampMs: number, appSecret: string): string {
  return createHash('md5').update(`${appId}${appKey}${timestampMs}${appSecret}`).digest('hex');
}

export function vivoCredentials(account: VendorAccount, providerToken: string | undefined): VivoCredentials {
  const { callback_id, category, default_classification, add_badge } = readOptions(account.certificate);
  return {
    appId: BigInt(account.vendorAppId),
    authToken: providerToken ?? '',
    isTest: account.environment === 0,
    callbackId: stringOrEmpty(callback_id) || undefined,
    category: stringOrEmpty(category) || undefined,
    defaultClassification: default_classification === 1 ? 1 : 0,
    addsBadge: add_badge === true,
  };
}

/** Checks vivo's credentials. Token requests use all three values. */
export function checkVivoCertificate(input: CertificateInput): CheckedCertificate {
  return {
    vendorAppId: requireDigits(input.vendorAppId, 'app_id', "vivo's AppID"),
    appKey: requireWord(input.appKey, 'app_key', "vivo's AppKey"),
    appSecret: requireWord(input.appSecret, 'app_secret', "vivo's AppSecret"),
    certificate: checkOptions(input.certificate, {
      callback_id: stringOption,
      category: stringOption,
      default_classification: oneOfOption(0, 1),
      add_badge: booleanOption,
    }),
    expiresAt: null,
  };
}
