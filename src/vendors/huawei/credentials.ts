import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { isBlank } from '#src/domain/blank.ts';
import { clientCredentialsRequest, readTokenResponse } from '../tokens/client-credentials.ts';
import {
  checkOptions,
  oneOfOption,
  optionalWord,
  readOptions,
  requireRsaKey,
  requireWord,
  stringOption,
  stringOrEmpty,
} from '../tokens/credential-checks.ts';
import type { CertificateInput, CheckedCertificate, ProviderToken, TokenSource, VendorAccount } from '../vendor.ts';

export interface HuaweiCredentials {
  readonly path: string;
  /** The path for recalls names the app even if there is a project. */
  readonly recallPath: string;
  readonly accessToken: string;
  /**
   * Test messages are exempt from the daily limit for marketing messages. An app can send 500 test messages per day.
   */
  readonly isTest: boolean;
  /** Defaults for messages that do not set a category, an importance or a channel. */
  readonly category: string | undefined;
  readonly importance: string | undefined;
  readonly channelId: string | undefined;
}

const TOKEN_PATH = '/oauth2/v3/token';
/** The audience of a signed token. It is the same even if the service is reached at another URL. */
const AUDIENCE = 'https://oauth-login.cloud.huawei.com/oauth2/v3/token';
/** Huawei rejects tokens with a lifetime of more than a day. */
const SIGNED_TOKEN_LIFETIME_SECONDS = 3_600;
/**
 * If Huawei rejects a token before this age, the token has not expired, so the credentials are wrong. Huawei issues at
 * most about 1,000 tokens per five minutes.
 */
const RENEW_AFTER_SECONDS = 60;

/** Requests tokens with the App secret, or signs them if the credentials contain a service account. */
export function huaweiTokenSource({ vendorAppId, appSecret, certificate }: VendorAccount): TokenSource {
  const account = serviceAccountOf(certificate);
  if (!account)
    return {
      kind: 'requested',
      cacheKeyParts: [vendorAppId, appSecret],
      renewAfterSeconds: RENEW_AFTER_SECONDS,
      toRequest: async () => clientCredentialsRequest(TOKEN_PATH, vendorAppId, appSecret),
      toToken: readTokenResponse,
    };
  return {
    kind: 'signed',
    cacheKeyParts: [account.keyId, account.subAccount, account.privateKey],
    renewAfterSeconds: RENEW_AFTER_SECONDS,
    sign: (now) => signToken(account, now),
  };
}

/** Returns the credentials for requests. The path names the project if a project ID is set, otherwise the app. */
export function huaweiCredentials(account: VendorAccount, providerToken: string | undefined): HuaweiCredentials {
  const { category, importance, channel_id } = readOptions(account.certificate);
  return {
    path: isBlank(account.appKey)
      ? `/v1/${encodeURIComponent(account.vendorAppId)}/messages:send`
      : `/v2/${encodeURIComponent(account.appKey)}/messages:send`,
    recallPath: `/v1/${encodeURIComponent(account.vendorAppId)}/messages:revoke`,
    accessToken: providerToken ?? '',
    isTest: account.environment === 0,
    category: stringOrEmpty(category) || undefined,
    importance: stringOrEmpty(importance) || undefined,
    channelId: stringOrEmpty(channel_id) || undefined,
  };
}

interface ServiceAccount {
  readonly keyId: string;
  readonly subAccount: string;
  readonly privateKey: string;
}

function serviceAccountOf(certificate: string): ServiceAccount | undefined {
  const { key_id, sub_account, private_key } = readOptions(certificate);
  if (isBlank(private_key)) return undefined;
  return {
    keyId: stringOrEmpty(key_id),
    subAccount: stringOrEmpty(sub_account),
    privateKey: stringOrEmpty(private_key),
  };
}

async function signToken({ keyId, subAccount, privateKey }: ServiceAccount, now: Date): Promise<ProviderToken> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'PS256', typ: 'JWT', kid: keyId })
    .setIssuer(subAccount)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(Math.floor(now.getTime() / 1_000) + SIGNED_TOKEN_LIFETIME_SECONDS)
    .sign(createPrivateKey(privateKey));
  return { token, lifetimeSeconds: SIGNED_TOKEN_LIFETIME_SECONDS };
}

const OPTIONS = {
  key_id: stringOption,
  sub_account: stringOption,
  project_id: stringOption,
  category: stringOption,
  importance: oneOfOption('LOW', 'NORMAL'),
  channel_id: stringOption,
};

/**
 * Checks Huawei's credentials. An App ID and an App secret are enough. A project ID selects the newer path, and a
 * service account selects signed tokens.
 */
export function checkHuaweiCertificate(input: CertificateInput): CheckedCertificate {
  const certificate = checkOptions(input.certificate, OPTIONS);
  checkServiceAccount(certificate);
  return {
    vendorAppId: requireWord(input.vendorAppId, 'app_id', "Huawei's App ID"),
    appKey: optionalWord(input.appKey, 'app_key', 'the project ID (optional)'),
    appSecret: requireWord(input.appSecret, 'app_secret', "Huawei's App secret, also called client secret"),
    certificate,
    expiresAt: null,
  };
}

/**
 * Checks the service account. An incomplete service account is an error, because the file was not copied completely.
 */
function checkServiceAccount(certificate: string): void {
  const { private_key, key_id, sub_account } = readOptions(certificate);
  if ([private_key, key_id, sub_account].every(isBlank)) return;
  requireRsaKey(
    private_key,
    "certificate must be empty, a JSON object with settings, or Huawei's complete service-account file. Its private_key is missing or cannot be used.",
  );
  requireWord(stringOrEmpty(key_id), 'key_id in certificate', "copy it from Huawei's service-account file");
  requireWord(stringOrEmpty(sub_account), 'sub_account in certificate', "copy it from Huawei's service-account file");
}
