import { ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { AUTH_BYTES, CURVE, PUBLIC_KEY_BYTES, type SubscriptionKeys } from './encrypt.ts';

/** A subscription of a browser or of a UnifiedPush app: the URL that receives messages, and the keys for them. */
export interface Subscription {
  readonly endpoint: URL;
  readonly keys: SubscriptionKeys;
}

/** The push services of the browsers. A name after `*.` stands for all its subdomains. */
export const BROWSER_HOSTS = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
] as const;

/** The longest endpoints are those of Windows, with about 500 characters. */
const ENDPOINT_CHARACTERS_MAX = 1_024;
/** Visible ASCII without the characters that `URL` would remove or replace, and without a fragment. */
const ENDPOINT = /^[\x21\x24-\x5b\x5d\x5f\x61-\x7e]+$/;
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/**
 * Parses a vendor token, which is the JSON of a `PushSubscription`. Returns the reason if Carillon must not use it,
 * because the user's device chose the URL. `extraHosts` are the hosts that the operator allows in addition.
 */
export function readSubscription(token: string, extraHosts: readonly string[]): Subscription | string {
  const { endpoint, keys } = objectOf(parseOrUndefined(token));
  const { p256dh, auth } = objectOf(keys);
  const url = readEndpoint(endpoint, extraHosts);
  if (typeof url === 'string') return url;
  const publicKey = readKey(p256dh);
  if (publicKey?.length !== PUBLIC_KEY_BYTES || !isPointOnCurve(publicKey))
    return 'keys.p256dh must be a public key on the curve P-256, in base64url';
  const secret = readKey(auth);
  if (secret?.length !== AUTH_BYTES) return `keys.auth must be ${AUTH_BYTES} bytes in base64url`;
  return { endpoint: url, keys: { p256dh: publicKey, auth: secret } };
}

/**
 * Returns the stored form of a subscription. It begins with the endpoint, which identifies the subscription, and omits
 * fields that Carillon does not use.
 */
export const subscriptionText = ({ endpoint, keys: { p256dh, auth } }: Subscription): string =>
  JSON.stringify({
    endpoint: endpoint.href,
    keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
  });

/** Parses a subscription that was checked when it was stored. */
export function storedSubscription(token: string): Subscription {
  const { endpoint, keys } = JSON.parse(token) as { endpoint: string; keys: { p256dh: string; auth: string } };
  return {
    endpoint: new URL(endpoint),
    keys: { p256dh: Buffer.from(keys.p256dh, 'base64url'), auth: Buffer.from(keys.auth, 'base64url') },
  };
}

/** Returns whether the host is a push service of a browser, which users cannot run themselves. */
export const isBrowserHost = (host: string): boolean => matchesHost(host, BROWSER_HOSTS);

function readEndpoint(value: unknown, extraHosts: readonly string[]): URL | string {
  if (typeof value !== 'string' || value.length > ENDPOINT_CHARACTERS_MAX || !ENDPOINT.test(value))
    return `endpoint must be a URL with at most ${ENDPOINT_CHARACTERS_MAX} ASCII characters and without a fragment`;
  const url = URL.parse(value);
  if (url?.protocol !== 'https:') return 'endpoint must be an https URL';
  if (url.username !== '' || url.password !== '') return 'endpoint must not contain a user name or password';
  if (url.port !== '') return 'endpoint must use the default port';
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return 'endpoint must contain a host name, not an IP address';
  if (!matchesHost(url.hostname, [...BROWSER_HOSTS, ...extraHosts]))
    return `the host ${url.hostname} is not a known push service. The operator can allow it with CARILLON_WEBPUSH_HOSTS`;
  return url;
}

const matchesHost = (host: string, allowed: readonly string[]): boolean =>
  allowed.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));

/** Browsers return keys without padding; some libraries add it. */
const readKey = (value: unknown): Buffer | undefined =>
  typeof value === 'string' && BASE64URL.test(value) ? Buffer.from(value, 'base64url') : undefined;

function isPointOnCurve(key: Buffer): boolean {
  try {
    ECDH.convertKey(key, CURVE);
    return key[0] === UNCOMPRESSED;
  } catch {
    return false;
  }
}

/** The first byte of an uncompressed point. */
const UNCOMPRESSED = 4;

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
