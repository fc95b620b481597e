import { importPKCS8, SignJWT } from 'jose';
import type { VendorAccount } from '../vendor.ts';

export interface ApnsCredentials {
  readonly topic: string;
  readonly providerToken: string;
}

/** Apple refuses tokens older than an hour, and new ones more often than every 20 minutes. */
const TOKEN_LIFE_MS = 45 * 60 * 1_000;
/** More accounts than one worker serves at a time; the oldest is signed anew if it comes back. */
const TOKENS_MAX = 1_000;

const tokens = new Map<string, { token: string; madeAt: number }>();

/** The key id is in `app_key`, the team id in `app_secret`, the p8 key in `certificate`, the topic in `app_id`. */
export async function apnsCredentials(account: VendorAccount, now: Date): Promise<ApnsCredentials> {
  const key = JSON.stringify([account.appId, account.environment, account.version]);
  const known = tokens.get(key);
  const age = known ? now.getTime() - known.madeAt : Number.POSITIVE_INFINITY;
  if (known && age >= 0 && age < TOKEN_LIFE_MS) return { topic: account.vendorAppId, providerToken: known.token };

  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: account.appKey })
    .setIssuer(account.appSecret)
    .setIssuedAt(now)
    .sign(await importPKCS8(account.certificate, 'ES256'));
  tokens.set(key, { token, madeAt: now.getTime() });
  if (tokens.size > TOKENS_MAX) tokens.delete(tokens.keys().next().value as string);
  return { topic: account.vendorAppId, providerToken: token };
}
