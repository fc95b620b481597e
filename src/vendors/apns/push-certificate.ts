import { type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Environment } from '#src/domain/channel.ts';
import { Problem } from '#src/domain/problem.ts';
import { isUsableRsaKey } from '../tokens/credential-checks.ts';
import { asciiOf, childrenOf, type Der, octetsOf, oidOf, readDer } from './der.ts';

/** An Apple certificate for one app, with its key and the contents of its extensions. */
export interface PushCertificate {
  /** The bundle ID in the subject, or empty if the certificate is not for push. */
  readonly bundleId: string;
  /** The bundle ID and, in newer certificates, the topics derived from it. */
  readonly topics: readonly string[];
  /** Environments for which the certificate is valid. Empty if the certificate does not specify any. */
  readonly environments: readonly Environment[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The certificate, its issuers and the key. */
  readonly pem: string;
}

/** Object identifiers of Apple's extensions; see Apple's WWDR certification practice statement. */
const SANDBOX = '1.2.840.113635.100.6.3.1';
const PRODUCTION = '1.2.840.113635.100.6.3.2';
const TOPICS = '1.2.840.113635.100.6.3.6';
const EXTENSIONS_TAG = 3;
/**
 * Maximum number of certificates, and of keys, in one file. A file from Apple contains one of each, and possibly the
 * two issuing certificates.
 */
const ENTRIES_MAX = 20;

/** Returns the certificate whose private key is in the same file. */
export function readPushCertificate(
  encodedCertificates: readonly (Buffer | string)[],
  keys: readonly KeyObject[],
): PushCertificate {
  const certificates = encodedCertificates.map(readX509);
  const { leaf, key } = findPair(certificates, keys);
  const pem =
    [leaf, ...issuersOf(leaf, certificates)].map(String).join('') + key.export({ type: 'pkcs8', format: 'pem' });
  requireUsableForTls(key, pem);
  return { ...readAppleExtensions(leaf), notBefore: leaf.validFromDate, notAfter: leaf.validToDate, pem };
}

function readAppleExtensions(leaf: X509Certificate): Pick<PushCertificate, 'bundleId' | 'topics' | 'environments'> {
  try {
    // Node.js returns an array if the subject has two UIDs. No Apple certificate has two.
    const { UID: uid } = leaf.toLegacyObject().subject as unknown as { UID?: string | string[] };
    const bundleId = typeof uid === 'string' ? uid : '';
    const extensions = readExtensions(leaf);
    return {
      bundleId,
      topics: [...new Set([bundleId, ...readTopics(extensions.get(TOPICS))])].filter((topic) => topic !== ''),
      environments: [
        ...(extensions.has(SANDBOX) ? [0 as const] : []),
        ...(extensions.has(PRODUCTION) ? [1 as const] : []),
      ],
    };
  } catch {
    throw unreadableProblem();
  }
}

function readX509(certificate: Buffer | string): X509Certificate {
  try {
    const parsed = new X509Certificate(certificate);
    if (!Number.isNaN(parsed.validFromDate.getTime()) && !Number.isNaN(parsed.validToDate.getTime())) return parsed;
  } catch {
    // The data is not a certificate.
  }
  throw unreadableProblem();
}

const unreadableProblem = () =>
  new Problem('bad-parameter', 'certificate contains a certificate that cannot be read. Export it again.');

/** Returns the only certificate whose private key is present. */
function findPair(
  certificates: readonly X509Certificate[],
  keys: readonly KeyObject[],
): { leaf: X509Certificate; key: KeyObject } {
  if (certificates.length === 0)
    throw new Problem(
      'bad-parameter',
      'certificate contains a key but no certificate. In Keychain Access, export the certificate together with its key as .p12.',
    );
  if (keys.length === 0)
    throw new Problem(
      'bad-parameter',
      'certificate contains no private key. In Keychain Access, export the certificate together with its key as .p12.',
    );
  if (certificates.length > ENTRIES_MAX || keys.length > ENTRIES_MAX) throw severalPairsProblem();
  const pairs = certificates.flatMap((leaf) =>
    keys.filter((key) => leaf.checkPrivateKey(key)).map((key) => ({ leaf, key })),
  );
  const [pair] = pairs;
  if (!pair)
    throw new Problem(
      'bad-parameter',
      'The private key in certificate belongs to another certificate. Export the push certificate together with its own key.',
    );
  if (pairs.some(({ leaf }) => leaf.fingerprint256 !== pair.leaf.fingerprint256)) throw severalPairsProblem();
  return pair;
}

const severalPairsProblem = () =>
  new Problem('bad-parameter', 'certificate contains several certificates with their keys. Export only one.');

/**
 * Returns the chain of issuers, starting with the issuer of the certificate, in the order that TLS requires. Other
 * certificates in the file are left out.
 */
function issuersOf(leaf: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const issuers: X509Certificate[] = [];
  let current: X509Certificate | undefined = leaf;
  while (current) {
    const child: X509Certificate = current;
    current = certificates.find((each) => each !== leaf && !issuers.includes(each) && child.checkIssued(each));
    if (current) issuers.push(current);
  }
  return issuers;
}

function readExtensions(certificate: X509Certificate): ReadonlyMap<string, Buffer> {
  const [tbsCertificate] = childrenOf(readDer(certificate.raw));
  const tagged = childrenOf(tbsCertificate).find((part) => part.tagClass === 0x80 && part.type === EXTENSIONS_TAG);
  const extensions = tagged ? childrenOf(childrenOf(tagged)[0]) : [];
  // An extension consists of its identifier, an optional critical flag and its value.
  return new Map(extensions.map((each) => [oidOf(childrenOf(each)[0]), octetsOf(childrenOf(each).at(-1))]));
}

/** Returns the topics of an extension: a sequence in which each topic is followed by a sequence with its purpose. */
function readTopics(extension: Buffer | undefined): string[] {
  if (!extension) return [];
  return childrenOf(readDer(extension))
    .map((part: Der) => asciiOf(part))
    .filter((topic) => topic !== undefined);
}

function requireUsableForTls(key: KeyObject, pem: string): void {
  if ((key.asymmetricKeyType !== 'ec' && !isUsableRsaKey(key)) || !isUsableForTls(pem))
    throw new Problem(
      'bad-parameter',
      'The push certificate or its key cannot be used for TLS: it is too weak, too old or too large. Create a new push certificate in your Apple developer account.',
    );
}

/** Returns whether a TLS connection can use the PEM. `Http2Pool` creates its secure context in the same way. */
function isUsableForTls(pem: string): boolean {
  try {
    createSecureContext({ key: pem, cert: pem });
    return true;
  } catch {
    return false;
  }
}
