import { isBlank } from '#src/domain/blank.ts';
import { clientCredentialsRequest, readTokenResponse } from '../tokens/client-credentials.ts';
import {
  checkOptions,
  oneOfOption,
  optionalWord,
  readOptions,
  requireWord,
  stringOption,
  stringOrEmpty,
} from '../tokens/credential-checks.ts';
import {
  RENEW_AFTER_SECONDS,
  requireServiceAccount,
  serviceAccountOf,
  serviceAccountTokenSource,
} from '../tokens/huawei-service-account.ts';
import type { CertificateInput, CheckedCertificate, TokenSource, VendorAccount } from '../vendor.ts';

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
  return serviceAccountTokenSource(account);
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
  requireServiceAccount(
    certificate,
    "certificate must be empty, a JSON object with settings, or Huawei's complete service-account file. Its private_key is missing or cannot be used.",
  );
}
