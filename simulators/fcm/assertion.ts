import { verify } from 'node:crypto';
import { asRecord, type Json, parseObject } from '../kit/read.ts';
import type { ServiceAccount, ServiceAccounts } from './service-accounts.ts';

/** The account that signed an assertion, or Google's error. */
export type AssertionCheck =
  | { kind: 'passed'; account: ServiceAccount }
  | { kind: 'refused'; error: 'invalid_grant' | 'invalid_scope'; description: string };

const LIFE_SECONDS_MAX = 3600;
const SKEW_SECONDS_MAX = 300;
const ASSERTION_CHARACTERS_MAX = 8192; // a real assertion has about 800 characters
/** Scopes that permit sending. One of them is enough. */
const SCOPES = ['https://www.googleapis.com/auth/firebase.messaging', 'https://www.googleapis.com/auth/cloud-platform'];
const TIMEFRAME =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.';

/** Checks an assertion (RFC 7523) in Google's order: account, signature, audience, time, scope. */
export function checkAssertion(
  assertion: string,
  accounts: ServiceAccounts,
  audience: string,
  nowMs: number,
): AssertionCheck {
  const jwt = readJwt(assertion);
  if (jwt === undefined) return rejectGrant('Invalid JWT: Failed to parse the token.');
  const { header, claims } = jwt;
  const account = typeof claims.iss === 'string' ? accounts.get(claims.iss) : undefined;
  if (account === undefined) return rejectGrant('Invalid grant: account not found');
  const isOurKey = header.alg === 'RS256' && (header.kid === undefined || header.kid === account.keyId);
  if (!isOurKey || !verify('sha256', Buffer.from(jwt.signed), account.publicKey, jwt.signature)) {
    return rejectGrant('Invalid JWT Signature.');
  }
  if (claims.aud !== audience) {
    return rejectGrant(`Invalid JWT: Failed audience check. The right audience is ${audience}`);
  }
  if (!isTimely(claims, nowMs / 1000)) return rejectGrant(TIMEFRAME);
  const scopes = String(claims.scope ?? '').split(' ');
  if (!scopes.some((scope) => SCOPES.includes(scope))) {
    const description = 'Invalid OAuth scope or ID token audience provided.';
    return { kind: 'refused', error: 'invalid_scope', description };
  }
  return { kind: 'passed', account };
}

function rejectGrant(description: string): AssertionCheck {
  return { kind: 'refused', error: 'invalid_grant', description };
}

function isTimely({ iat, exp }: Json, nowSeconds: number): boolean {
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  const isShort = exp > iat && exp - iat <= LIFE_SECONDS_MAX;
  return isShort && iat <= nowSeconds + SKEW_SECONDS_MAX && exp >= nowSeconds - SKEW_SECONDS_MAX;
}

function readJwt(text: string): { header: Json; claims: Json; signed: string; signature: Buffer } | undefined {
  if (text.length > ASSERTION_CHARACTERS_MAX) return undefined;
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text);
  if (parts === null) return undefined;
  const [, header = '', claims = '', signature = ''] = parts;
  return {
    header: asRecord(parseObject(Buffer.from(header, 'base64url'))),
    claims: asRecord(parseObject(Buffer.from(claims, 'base64url'))),
    signed: `${header}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}
