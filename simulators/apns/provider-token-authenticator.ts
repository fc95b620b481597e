import { type KeyObject, verify } from 'node:crypto';
import type { Authenticator } from './authenticator.ts';
import { type CheckResult, type Environment, pass, reject } from './responses.ts';

/**
 * A signing key with the attributes that Apple's developer pages define: its team and the apps and environments it is
 * valid for.
 */
export type ProviderKey = {
  readonly keyId: string;
  readonly teamId: string;
  readonly publicKey: KeyObject;
  readonly topics: readonly string[];
  readonly environments: readonly Environment[];
};

export type ProviderKeys = ReadonlyMap<string, ProviderKey>;

const TOKEN_AGE_SECONDS_MAX = 60 * 60; // an older token is rejected with ExpiredProviderToken
const SIGNATURE_BYTES = 64; // raw r‖s of ES256; a DER signature, a common mistake, is longer
const TOKEN_CHARACTERS_MAX = 4096; // a real token has about 250 characters
const BEARER = /^bearer +/i;

/**
 * Authenticates a connection without a client certificate, on which every push carries a provider token. Like Apple, it
 * binds the connection to the first team and key, and rejects a new token that follows the previous one too soon.
 */
export class ProviderTokenAuthenticator implements Authenticator {
  readonly #keys: ProviderKeys;
  readonly #environment: Environment;
  readonly #windowMs: number;
  #current: { token: string; key: ProviderKey; issuedAtSeconds: number; sinceMs: number } | undefined;

  constructor(keys: ProviderKeys, environment: Environment, windowMs: number) {
    this.#keys = keys;
    this.#environment = environment;
    this.#windowMs = windowMs;
  }

  /** Whether this connection has ever presented a valid token. */
  get isAuthenticated(): boolean {
    return this.#current !== undefined;
  }

  check(authorization: string | undefined, nowMs: number): CheckResult<ProviderKey> {
    if (authorization === undefined || !BEARER.test(authorization)) return reject('MissingProviderToken');
    const token = authorization.replace(BEARER, '');
    const current = this.#current;
    // The signature is checked once per connection and token, so that a load test measures the sender and not the
    // simulator.
    if (current?.token === token) {
      return isExpired(current.issuedAtSeconds, nowMs) ? reject('ExpiredProviderToken') : pass(current.key);
    }

    const signed = readProviderToken(token, this.#keys);
    if (signed === undefined) return reject('InvalidProviderToken');
    const { key, issuedAtSeconds } = signed;
    // Apple does not document its response to a token issued in the future. The simulator tolerates one hour, as for
    // the past.
    if (issuedAtSeconds - nowMs / 1000 > TOKEN_AGE_SECONDS_MAX) return reject('InvalidProviderToken');
    if (isExpired(issuedAtSeconds, nowMs)) return reject('ExpiredProviderToken');
    if (!key.environments.includes(this.#environment)) return reject('BadEnvironmentKeyIdInToken');
    // Team and key are checked before the update window, because a token from another team is also a different token.
    if (current !== undefined && current.key.teamId !== key.teamId) return reject('Forbidden');
    if (current !== undefined && current.key.keyId !== key.keyId) return reject('UnrelatedKeyIdInToken');
    if (current !== undefined && nowMs - current.sinceMs < this.#windowMs) {
      return reject('TooManyProviderTokenUpdates');
    }
    this.#current = { token, key, issuedAtSeconds, sinceMs: nowMs };
    return pass(key);
  }
}

function isExpired(issuedAtSeconds: number, nowMs: number): boolean {
  return nowMs / 1000 - issuedAtSeconds > TOKEN_AGE_SECONDS_MAX;
}

/**
 * Returns the key that signed this token, or undefined if the token is invalid. Apple responds with
 * InvalidProviderToken to every kind of invalid token.
 */
function readProviderToken(
  token: string,
  keys: ProviderKeys,
): { key: ProviderKey; issuedAtSeconds: number } | undefined {
  if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token);
  if (parts === null) return undefined;
  const [, headerPart = '', claimsPart = '', signaturePart = ''] = parts;
  const header = decodeObject(headerPart);
  const claims = decodeObject(claimsPart);
  if (header?.alg !== 'ES256' || typeof header.kid !== 'string') return undefined;
  const key = keys.get(header.kid);
  if (key === undefined || claims?.iss !== key.teamId) return undefined;
  if (typeof claims.iat !== 'number' || !Number.isFinite(claims.iat)) return undefined;
  const signature = Buffer.from(signaturePart, 'base64url');
  if (signature.length !== SIGNATURE_BYTES) return undefined;
  const signedBytes = Buffer.from(`${headerPart}.${claimsPart}`);
  const isGenuine = verify('sha256', signedBytes, { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  return isGenuine ? { key, issuedAtSeconds: claims.iat } : undefined;
}

function decodeObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // not JSON: the caller returns InvalidProviderToken
  }
}
