import { clientCredentialsRequest, readTokenResponse } from '../tokens/client-credentials.ts';
import { checkOptions, oneOfOption, readOptions, requireWord } from '../tokens/credential-checks.ts';
import type { CertificateInput, CheckedCertificate, TokenSource, VendorAccount } from '../vendor.ts';

export interface HonorCredentials {
  readonly path: string;
  readonly accessToken: string;
  /** Test messages do not count towards the daily limit of a device. An app can send 1,000 test messages per day. */
  readonly isTest: boolean;
  /** Default importance for messages that do not set one. */
  readonly importance: 'LOW' | 'NORMAL';
  /** Whether the credentials set the importance. */
  readonly hasExplicitImportance: boolean;
}

/**
 * Honor's guide from 2023 uses /auth/realms/developer/protocol/openid-connect/token, which returns the same response.
 */
const TOKEN_PATH = '/auth/token';
/** If Honor rejects a token before this age, the token has not expired, so the credentials are wrong. */
const RENEW_AFTER_SECONDS = 60;

/** Requests tokens with the Client ID and Client Secret of the server. The app on the phone has a different pair. */
export function honorTokenSource({ appKey, appSecret }: VendorAccount): TokenSource {
  return {
    kind: 'requested',
    cacheKeyParts: [appKey, appSecret],
    renewAfterSeconds: RENEW_AFTER_SECONDS,
    toRequest: async () => clientCredentialsRequest(TOKEN_PATH, appKey, appSecret),
    toToken: readTokenResponse,
  };
}

export function honorCredentials(account: VendorAccount, providerToken: string | undefined): HonorCredentials {
  const { importance } = readOptions(account.certificate);
  return {
    path: `/api/v1/${encodeURIComponent(account.vendorAppId)}/sendMessage`,
    accessToken: providerToken ?? '',
    isTest: account.environment === 0,
    importance: importance === 'LOW' ? 'LOW' : 'NORMAL',
    hasExplicitImportance: importance === 'LOW' || importance === 'NORMAL',
  };
}

/**
 * Checks Honor's credentials. The App ID is in the path of every request. The server authenticates with the Client ID
 * and the Client Secret.
 */
export function checkHonorCertificate(input: CertificateInput): CheckedCertificate {
  return {
    vendorAppId: requireWord(input.vendorAppId, 'app_id', "Honor's App ID"),
    appKey: requireWord(input.appKey, 'app_key', "Honor's Client ID"),
    appSecret: requireWord(input.appSecret, 'app_secret', "Honor's Client Secret, not the App Secret"),
    certificate: checkOptions(input.certificate, { importance: oneOfOption('LOW', 'NORMAL') }),
    expiresAt: null,
  };
}
