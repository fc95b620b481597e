import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { BoundedMap } from '#src/foundation/bounded-map.ts';

/** The identity of an app at all push services (RFC 8292). */
export interface VapidIdentity {
  /** In base64url. Browsers accept messages only from the key that they subscribed with. */
  readonly publicKey: string;
  /** In base64url. */
  readonly privateKey: string;
  /** How a push service reaches the operator: a `mailto:` or `https:` URL. */
  readonly subject: string;
}

/** A token is used for this long, because push services cache the result of checking a signature. */
const REUSE_MS = 12 * 60 * 60 * 1_000;
/** The lifetime of a token. Apple rejects more than 24 hours, so the difference covers a clock that is wrong. */
const LIFETIME_MS = 20 * 60 * 60 * 1_000;
/** The database's clock can be read again between two calls. */
const SKEW_MS_MAX = 60_000;
/** Apps and push services with a cached token. An evicted token is signed again. */
const TOKENS_MAX = 10_000;

const HEADER = encode({ typ: 'JWT', alg: 'ES256' });

const tokens = new BoundedMap<string, { readonly token: string; readonly signedAt: number }>(TOKENS_MAX);

/** Returns the header `Authorization` for requests to one origin. `now` is database time. */
export function vapidAuthorization(origin: string, identity: VapidIdentity, now: Date): string {
  return `vapid t=${tokenFor(origin, identity, now.getTime())}, k=${identity.publicKey}`;
}

function tokenFor(origin: string, identity: VapidIdentity, nowMs: number): string {
  const key = `${identity.publicKey} ${identity.subject} ${origin}`;
  const cached = tokens.get(key);
  const ageMs = nowMs - (cached?.signedAt ?? 0);
  if (cached && ageMs < REUSE_MS && ageMs > -SKEW_MS_MAX) return cached.token;
  const token = signToken(origin, identity, nowMs);
  tokens.set(key, { token, signedAt: nowMs });
  return token;
}

function signToken(origin: string, { publicKey, privateKey, subject }: VapidIdentity, nowMs: number): string {
  const claims = { aud: origin, exp: Math.floor((nowMs + LIFETIME_MS) / 1_000), sub: subject };
  const signed = `${HEADER}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), {
    key: keyOf(publicKey, privateKey),
    dsaEncoding: 'ieee-p1363',
  });
  return `${signed}.${signature.toString('base64url')}`;
}

function keyOf(publicKey: string, d: string): KeyObject {
  const point = Buffer.from(publicKey, 'base64url');
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url');
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d }, format: 'jwk' });
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
