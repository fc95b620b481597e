import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { isBlank } from '#src/domain/blank.ts';
import type { ProviderToken, TokenSource } from '../vendor.ts';
import { readOptions, requireRsaKey, requireWord, stringOrEmpty } from './credential-checks.ts';

/** A service account of a Huawei project. Push Kit for Android and for HarmonyOS accept the tokens that it signs. */
export interface HuaweiServiceAccount {
  readonly keyId: string;
  readonly subAccount: string;
  readonly privateKey: string;
}

/** The audience of a signed token. It is the same even if the service is reached at another URL. */
const AUDIENCE = 'https://oauth-login.cloud.huawei.com/oauth2/v3/token';
/** Huawei rejects tokens with a lifetime of more than a day. */
const TOKEN_LIFETIME_SECONDS = 3_600;
/**
 * If Huawei rejects a token before this age, the token has not expired, so the credentials are wrong. Huawei issues at
 * most about 1,000 tokens per five minutes.
 */
export const RENEW_AFTER_SECONDS = 60;

/** Returns the service account in the credentials, or undefined if they contain none. */
export function serviceAccountOf(certificate: string): HuaweiServiceAccount | undefined {
  const { key_id, sub_account, private_key } = readOptions(certificate);
  if (isBlank(private_key)) return undefined;
  return {
    keyId: stringOrEmpty(key_id),
    subAccount: stringOrEmpty(sub_account),
    privateKey: stringOrEmpty(private_key),
  };
}

/** Returns a source that signs tokens with the key of a service account. */
export const serviceAccountTokenSource = (account: HuaweiServiceAccount): TokenSource => ({
  kind: 'signed',
  cacheKeyParts: [account.keyId, account.subAccount, account.privateKey],
  renewAfterSeconds: RENEW_AFTER_SECONDS,
  sign: (now) => signToken(account, now),
});

async function signToken({ keyId, subAccount, privateKey }: HuaweiServiceAccount, now: Date): Promise<ProviderToken> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'PS256', typ: 'JWT', kid: keyId })
    .setIssuer(subAccount)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(Math.floor(now.getTime() / 1_000) + TOKEN_LIFETIME_SECONDS)
    .sign(createPrivateKey(privateKey));
  return { token, lifetimeSeconds: TOKEN_LIFETIME_SECONDS };
}

/** Checks that the credentials contain a complete service account. `hint` is the error for a missing or unusable key. */
export function requireServiceAccount(certificate: string, hint: string): void {
  const { private_key, key_id, sub_account } = readOptions(certificate);
  requireRsaKey(private_key, hint);
  requireWord(stringOrEmpty(key_id), 'key_id in certificate', "copy it from Huawei's service-account file");
  requireWord(stringOrEmpty(sub_account), 'sub_account in certificate', "copy it from Huawei's service-account file");
}
