import { type KeyObject, X509Certificate } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { isBlank } from '#src/domain/blank.ts';
import type { Environment } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { readPrivateKey, requireWord } from '../tokens/credential-checks.ts';
import type {
  CertificateInput,
  CheckedCertificate,
  ClientCertificate,
  ProviderToken,
  TokenSource,
  VendorAccount,
} from '../vendor.ts';
import { openP12 } from './p12.ts';
import { type PushCertificate, readPushCertificate } from './push-certificate.ts';

/** Credentials of a request. Without a provider token, the TLS client certificate authenticates Carillon. */
export interface ApnsCredentials {
  readonly topic: string;
  readonly providerToken: string | undefined;
}

/** Apple rejects provider tokens that are older than an hour or are renewed more often than every 20 minutes. */
const TOKEN_LIFETIME_SECONDS = 60 * 60;
const RENEW_AFTER_SECONDS = 20 * 60;

/**
 * Returns the credentials for requests. `app_id` holds the topic. With a p8 key in `certificate`, `app_key` holds the
 * key ID and `app_secret` the team ID. With a push certificate and its key in `certificate`, both are empty.
 */
export function apnsCredentials({ vendorAppId }: VendorAccount, providerToken: string | undefined): ApnsCredentials {
  return { topic: vendorAppId, providerToken };
}

/**
 * Returns the source of provider tokens, or undefined if the account has a push certificate. Apps and environments with
 * the same key share a token, because Apple limits how often a team can create one.
 */
export function apnsTokenSource(account: VendorAccount, now: Date): TokenSource | undefined {
  const { appKey: keyId, appSecret: teamId, certificate } = account;
  if (!isPushCertificate(certificate))
    return {
      kind: 'signed',
      cacheKeyParts: [teamId, keyId, certificate],
      renewAfterSeconds: RENEW_AFTER_SECONDS,
      sign: (at) => signToken(account, at),
    };
  // Apple aborts the TLS handshake if the certificate has expired, which would look like an unreachable vendor.
  if (new X509Certificate(certificate).validToDate <= now) throw new Error('The push certificate has expired.');
  return undefined;
}

/**
 * Returns the TLS client certificate, or undefined if the account has a p8 key. TLS finds the key and the certificates
 * in a string of several PEM blocks.
 */
export function apnsClientCertificate({ certificate }: VendorAccount): ClientCertificate | undefined {
  return isPushCertificate(certificate) ? { key: certificate, cert: certificate } : undefined;
}

const isPushCertificate = (certificate: string): boolean => certificate.includes('-----BEGIN CERTIFICATE-----');

async function signToken({ appKey, appSecret, certificate }: VendorAccount, now: Date): Promise<ProviderToken> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: appKey })
    .setIssuer(appSecret)
    .setIssuedAt(now)
    .sign(await importPKCS8(certificate, 'ES256'));
  return { token, lifetimeSeconds: TOKEN_LIFETIME_SECONDS };
}

/** Format of Apple's key IDs and team IDs. */
const APPLE_ID = /^[A-Z0-9]{10}$/;
/** Characters that Apple allows in a bundle ID, which is sent as a header. */
const BUNDLE_ID = /^[A-Za-z0-9.-]{1,255}$/;
/** The body of a block must not contain a dash, so that malicious input cannot cause quadratic matching time. */
const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;
const ENCRYPTED_PEM = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Checks the credentials that an operator enters for APNs. A key in PEM signs provider tokens. A p12 file in base64, or
 * PEM with a certificate and its key, becomes the TLS client certificate. The certificate is stored as PEM without its
 * passphrase.
 */
export function checkApnsCertificate(input: CertificateInput, environment: Environment, now: Date): CheckedCertificate {
  if (isBlank(input.certificate))
    throw new Problem(
      'bad-parameter',
      'certificate is required: the contents of a .p8 key file, or a .p12 file in base64.',
    );
  if (!input.certificate.includes('-----BEGIN ')) {
    const { certificates, keys } = openP12(readBase64(input.certificate), input.appSecret);
    return checkPushCertificate(readPushCertificate(certificates, keys), input, environment, now);
  }
  const { certificates, keys } = readPem(input.certificate);
  return certificates.length === 0
    ? checkTokenKey(keys, input)
    : checkPushCertificate(readPushCertificate(certificates, keys), input, environment, now);
}

function checkTokenKey(keys: readonly KeyObject[], input: CertificateInput): CheckedCertificate {
  const [key] = keys;
  if (!key || keys.length > 1 || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Problem(
      'bad-parameter',
      'certificate must contain exactly one APNs authentication key (P-256): the contents of a .p8 file.',
    );
  return {
    vendorAppId: requireBundleId(requireWord(input.vendorAppId, 'app_id', "the app's bundle ID")),
    appKey: requireAppleId(input.appKey, 'app_key', 'the Key ID of the .p8 key'),
    appSecret: requireAppleId(input.appSecret, 'app_secret', 'the Team ID, not the key itself'),
    certificate: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    expiresAt: null,
  };
}

function checkPushCertificate(
  { bundleId, topics, environments, notBefore, notAfter, pem }: PushCertificate,
  input: CertificateInput,
  environment: Environment,
  now: Date,
): CheckedCertificate {
  if (!BUNDLE_ID.test(bundleId))
    throw new Problem(
      'bad-parameter',
      'certificate is not an Apple push certificate: its subject contains no bundle ID.',
    );
  if (notAfter <= now)
    throw new Problem(
      'bad-parameter',
      `The push certificate expired on ${dayOf(notAfter)}. Create a new one in your Apple developer account.`,
    );
  if (notBefore > now)
    throw new Problem('bad-parameter', `The push certificate is not valid before ${dayOf(notBefore)}.`);
  const requestedTopic = input.vendorAppId.trim();
  if (requestedTopic !== '' && !topics.includes(requestedTopic))
    throw new Problem('bad-parameter', `app_id must be empty or a topic of the push certificate, like ${bundleId}.`);
  if (environments.length > 0 && !environments.includes(environment))
    throw new Problem(
      'bad-parameter',
      environment === 1
        ? 'The push certificate is for development only. Use environment 0, or a certificate for production.'
        : 'The push certificate is for production only. Use environment 1, or a certificate for development.',
    );
  return {
    vendorAppId: requireBundleId(requestedTopic || bundleId),
    appKey: '',
    appSecret: '',
    certificate: pem,
    expiresAt: notAfter,
  };
}

function readPem(text: string): { readonly certificates: readonly string[]; readonly keys: readonly KeyObject[] } {
  // Encrypted PEM keys are rejected, because the file sets the cost of key derivation and Carillon cannot limit it. For
  // p12 files, `openP12` limits the cost.
  if (ENCRYPTED_PEM.test(text))
    throw new Problem(
      'bad-parameter',
      'The private key in certificate is encrypted with a passphrase. Decrypt it, or use the .p12 file.',
    );
  const blocks = [...text.matchAll(PEM_BLOCK)];
  const keys = blocks.filter(([, label]) => label?.endsWith('PRIVATE KEY')).map(([block]) => readPrivateKey(block));
  if (keys.includes(undefined))
    throw new Problem(
      'bad-parameter',
      'The private key in certificate cannot be read. Copy the complete key, or export it again.',
    );
  return {
    certificates: blocks.filter(([, label]) => label === 'CERTIFICATE').map(([block]) => block),
    keys: keys.filter((key) => key !== undefined),
  };
}

function readBase64(text: string): Buffer {
  const base64 = text.replace(/\s+/g, '');
  if (!BASE64.test(base64))
    throw new Problem('bad-parameter', 'certificate must be the contents of a .p8 key file, or a .p12 file in base64.');
  return Buffer.from(base64, 'base64');
}

function requireBundleId(bundleId: string): string {
  if (!BUNDLE_ID.test(bundleId))
    throw new Problem('bad-parameter', "app_id must be the app's bundle ID, like com.example.app.");
  return bundleId;
}

function requireAppleId(value: string, field: string, meaning: string): string {
  const id = requireWord(value, field, meaning);
  if (!APPLE_ID.test(id))
    throw new Problem('bad-parameter', `${field} must be ten capital letters and digits: ${meaning}.`);
  return id;
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
