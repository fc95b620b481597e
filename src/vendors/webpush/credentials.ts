import { createECDH, type ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';
import { checkOptions, optionalWord, readOptions, requireWord, stringOrEmpty } from '../tokens/credential-checks.ts';
import type { CertificateInput, CheckedCertificate, VendorAccount } from '../vendor.ts';
import { CURVE, newKeyPair } from './encrypt.ts';
import type { VapidIdentity } from './vapid.ts';

export interface WebPushCredentials extends VapidIdentity {
  /** The page that a click opens if the message names none. Empty if the operator set none. */
  readonly navigate: string;
}

/**
 * Returns the credentials for requests. `app_id` holds the subject, `app_key` the public key, and `app_secret` the
 * private key, both in base64url.
 */
export function webPushCredentials({ vendorAppId, appKey, appSecret, certificate }: VendorAccount): WebPushCredentials {
  return {
    publicKey: appKey,
    privateKey: appSecret,
    subject: vendorAppId,
    navigate: stringOrEmpty(readOptions(certificate).navigate),
  };
}

/** Throws if the keys of an account cannot be used. No request needs a token that all workers share. */
export function webPushTokenSource({ appKey, appSecret }: VendorAccount): undefined {
  if (readKeyPair(appSecret)?.getPublicKey('base64url') !== appKey) throw new Error('The VAPID keys cannot be used.');
}

/** A longer URL would leave less room for the text of every notification. */
export const NAVIGATE_CHARACTERS_MAX = 255;
const isPage = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= NAVIGATE_CHARACTERS_MAX && URL.parse(value)?.protocol === 'https:';
const OPTIONS = {
  navigate: { accepts: isPage, description: `an https URL of at most ${NAVIGATE_CHARACTERS_MAX} characters` },
};

/**
 * Checks the credentials for Web Push. Without keys, a new key pair is created. A new key pair invalidates every
 * existing subscription, so the API passes the keys of credentials that are saved again.
 */
export function checkWebPushCertificate(input: CertificateInput): CheckedCertificate {
  const subject = requireSubject(input.vendorAppId);
  const publicKey = optionalWord(input.appKey, 'app_key', 'the public VAPID key');
  const privateKey = optionalWord(input.appSecret, 'app_secret', 'the private VAPID key');
  if (privateKey === '' && publicKey !== '')
    throw new Problem('bad-parameter', 'app_secret is required if app_key is set: the private VAPID key.');
  const keyPair = privateKey === '' ? newKeyPair() : readKeyPair(privateKey);
  if (!keyPair) throw new Problem('bad-parameter', 'app_secret must be a private P-256 key: 32 bytes in base64url.');
  if (publicKey !== '' && publicKey !== keyPair.getPublicKey('base64url'))
    throw new Problem('bad-parameter', 'app_key and app_secret are not a key pair.');
  return {
    vendorAppId: subject,
    appKey: keyPair.getPublicKey('base64url'),
    appSecret: privateKeyText(keyPair),
    certificate: checkOptions(input.certificate, OPTIONS),
    expiresAt: null,
  };
}

const SUBJECT_HINT =
  'app_id must be a contact for push services, such as mailto:push@example.com or https://example.com/contact';
/** Names that never exist in public DNS. Apple rejects every message if the subject contains one. */
const RESERVED_NAME = /(^|\.)(localhost|localdomain|local|internal|invalid|test|example)$/;
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/;
const SUBJECT_CHARACTERS_MAX = 255;

function requireSubject(value: string): string {
  const subject = requireWord(value, 'app_id', 'a mailto: or https: URL that names your contact');
  const domain = domainOf(subject);
  if (domain === undefined || subject.length > SUBJECT_CHARACTERS_MAX)
    throw new Problem('bad-parameter', `${SUBJECT_HINT}.`);
  if (!DOMAIN.test(domain) || RESERVED_NAME.test(domain) || isIP(domain) !== 0)
    throw new Problem('bad-parameter', `${SUBJECT_HINT}. Its domain must exist in public DNS.`);
  return subject;
}

function domainOf(subject: string): string | undefined {
  const [, domain] = /^mailto:[^@:?]+@([^@:?]+)$/.exec(subject) ?? [];
  if (domain !== undefined) return domain.toLowerCase();
  const url = URL.parse(subject);
  return url?.protocol === 'https:' && url.username === '' ? url.hostname : undefined;
}

const PRIVATE_KEY_BYTES = 32;

/** Returns undefined if the string is not a private key on the curve. */
function readKeyPair(privateKey: string): ECDH | undefined {
  const bytes = Buffer.from(privateKey, 'base64url');
  if (isBlank(privateKey) || bytes.length !== PRIVATE_KEY_BYTES) return undefined;
  try {
    const keyPair = createECDH(CURVE);
    keyPair.setPrivateKey(bytes);
    return keyPair;
  } catch {
    return undefined;
  }
}

/** Returns all 32 bytes. `ECDH` omits leading zeros. */
const privateKeyText = (keyPair: ECDH): string => {
  const bytes = keyPair.getPrivateKey();
  return Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - bytes.length), bytes]).toString('base64url');
};
