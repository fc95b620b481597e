import { clientCredentialsRequest, readTokenResponse } from '../tokens/client-credentials.ts';
import { checkOptions, oneOfOption, readOptions, requireWord } from '../tokens/credential-checks.ts';
import type { CertificateInput, CheckedCertificate, TokenSource, VendorAccount } from '../vendor.ts';

export interface HonorCredentials {
  readonly path: string;
  readonly accessToken: string;
  /** Test messages do not count against a device's day, and there are 1000 of them a day. */
  readonly isTest: boolean;
  /** For messages that do not say their own. */
  readonly importance: 'LOW' | 'NORMAL';
  /** Whether the certificate says it. */
  readonly hasExplicitImportance: boolean;
}

/** Honor's guide of 2023 names /auth/realms/developer/protocol/openid-connect/token, which answers the same. */
const TOKEN_PATH = '/auth/token';
/** A token that is refused when it is so young is not too old. */
const RENEW_AFTER_SECONDS = 60;

/** Client ID and Client Secret are what our server signs in with; the app on the phone has another pair. */
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

/** The App ID is in the path of every request; Client ID and Client Secret are what our server signs in with. */
export function checkHonorCertificate(input: CertificateInput): CheckedCertificate {
  return {
    vendorAppId: requireWord(input.vendorAppId, 'app_id', "Honor's App ID"),
    appKey: requireWord(input.appKey, 'app_key', "Honor's Client ID"),
    appSecret: requireWord(input.appSecret, 'app_secret', "Honor's Client Secret, not the App Secret"),
    certificate: checkOptions(input.certificate, { importance: oneOfOption('LOW', 'NORMAL') }),
    expiresAt: null,
  };
}
