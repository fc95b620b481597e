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

const tokens = new Map<string, { token: Promise<string>; madeAt: number }>();

/** The key id is in `app_key`, the team id in `app_secret`, the p8 key in `certificate`, the topic in `app_id`. */
export async function apnsCredentials(account: VendorAccount, now: Date): Promise<ApnsCredentials> {
  const key = JSON.stringify([account.appId, account.environment, account.version]);
  let known = tokens.get(key);
  // Its age may be a little below zero: the database's clock was read again in between.
  if (!known || Math.abs(now.getTime() - known.madeAt) >= TOKEN_LIFE_MS) {
    // Remembered before it is signed: Apple refuses a connection on which two tokens follow each other too soon.
    known = { token: signToken(account, now), madeAt: now.getTime() };
    tokens.set(key, known);
    known.token.catch(() => tokens.delete(key));
    if (tokens.size > TOKENS_MAX) tokens.delete(tokens.keys().next().value as string);
  }
  return { topic: account.vendorAppId, providerToken: await known.token };
}

async function signToken(account: VendorAccount, now: Date): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: account.appKey })
    .setIssuer(account.appSecret)
    .setIssuedAt(now)
    .sign(await importPKCS8(account.certificate, 'ES256'));
}
