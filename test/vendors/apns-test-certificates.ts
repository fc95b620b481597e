import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';

/** Push certificates for tests, with the same structure as Apple's certificates. */

export const NOW = new Date('2026-11-15T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1_000;
const { Class, Type } = forge.asn1;

export interface Keys {
  readonly privatePem: string;
  readonly publicPem: string;
}

export interface IssuedCertificate {
  readonly pem: string;
  readonly keys: Keys;
}

/** Differences from a certificate for `com.example.bells` that is valid in both environments. */
interface CertificateOptions {
  readonly uid?: string | undefined;
  readonly extensions?: Readonly<Record<string, string>>;
  readonly validDays?: readonly [number, number];
  readonly keys?: Keys;
}

export function newKeys(bits = 2_048): Keys {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { privatePem: privateKey, publicPem: publicKey };
}

/**
 * Returns keys of any size that fit a certificate but cannot sign, because generating real keys of that size takes
 * minutes.
 */
export function fakeKeys(bits: number): Keys {
  const number = (length: number) => new forge.jsbn.BigInteger(`7${'0'.repeat(length / 4 - 2)}1`, 16);
  const [modulus, half] = [number(bits), number(bits / 2)];
  const key = forge.pki.rsa.setPrivateKey(
    modulus,
    new forge.jsbn.BigInteger('65537'),
    modulus,
    half,
    half,
    half,
    half,
    half,
  );
  const info = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key));
  return {
    privatePem: forge.pki.privateKeyInfoToPem(info),
    publicPem: forge.pki.publicKeyToPem(forge.pki.rsa.setPublicKey(modulus, new forge.jsbn.BigInteger('65537'))),
  };
}

const authorityName = [{ name: 'commonName', value: 'Apple Worldwide Developer Relations' }];
const authority = newKeys();
export const authorityPem = (() => {
  const certificate = newCertificate(authority, authorityName, [-1_000, 1_000]);
  certificate.setExtensions([{ name: 'basicConstraints', cA: true }]);
  return sign(certificate);
})();

const text = (value: string) => forge.asn1.create(Class.UNIVERSAL, Type.UTF8, false, value);
const list = (items: forge.asn1.Asn1[]) => forge.asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, items);
const der = (value: forge.asn1.Asn1) => forge.asn1.toDer(value).getBytes();

/** Apple's extensions: an empty value for each environment, and the list of topics. */
export const SANDBOX = { '1.2.840.113635.100.6.3.1': der(forge.asn1.create(Class.UNIVERSAL, Type.NULL, false, '')) };
export const PRODUCTION = { '1.2.840.113635.100.6.3.2': der(forge.asn1.create(Class.UNIVERSAL, Type.NULL, false, '')) };
export const TOPICS = {
  '1.2.840.113635.100.6.3.6': der(
    list([
      text('com.example.bells'),
      list([text('app')]),
      text('com.example.bells.voip'),
      list([text('voip')]),
      text('com.example.bells.complication'),
      list([text('complication')]),
    ]),
  ),
};

const sharedKeys = newKeys();

export function issueCertificate({
  uid = 'com.example.bells',
  extensions,
  validDays = [-10, 385],
  keys,
}: CertificateOptions = {}): IssuedCertificate {
  const certificateKeys = keys ?? sharedKeys;
  const subject = [
    ...(uid === '' ? [] : [{ type: '0.9.2342.19200300.100.1.1', value: uid, valueTagClass: Type.UTF8 }]),
    { name: 'commonName', value: 'Apple Push Services: com.example.bells' },
  ] as forge.pki.CertificateField[];
  const certificate = newCertificate(certificateKeys, subject, validDays);
  const extensionEntries = Object.entries(extensions ?? { ...SANDBOX, ...PRODUCTION, ...TOPICS });
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'extKeyUsage', clientAuth: true },
    ...extensionEntries.map(([id, value]) => ({ id, value })),
  ]);
  return { pem: sign(certificate), keys: certificateKeys };
}

function newCertificate(keys: Keys, subject: forge.pki.CertificateField[], [from, to]: readonly [number, number]) {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicPem);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(NOW.getTime() + from * DAY_MS);
  certificate.validity.notAfter = new Date(NOW.getTime() + to * DAY_MS);
  certificate.setSubject(subject);
  certificate.setIssuer(authorityName);
  return certificate;
}

function sign(certificate: forge.pki.Certificate): string {
  certificate.sign(forge.pki.privateKeyFromPem(authority.privatePem), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate).replaceAll('\r', '');
}

/** The reason to skip tests that require openssl, or false if it is installed. */
export const skipWithoutOpenssl = (() => {
  try {
    execFileSync('openssl', ['version']);
    return false;
  } catch {
    return 'openssl is not installed';
  }
})();

/**
 * Options for the format of Apple's Keychain: RC2-40 for the certificate, 3DES for the key, SHA-1 with one iteration.
 */
export const KEYCHAIN_OPTIONS =
  '-legacy -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-RC2-40 -macalg sha1 -nomaciter -name Bells'.split(' ');

/** Creates a p12 file with openssl. */
export function exportP12(
  { pem, keys }: IssuedCertificate,
  passphrase: string,
  options: readonly string[] = [],
): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-p12-'));
  try {
    const file = join(directory, 'all.pem');
    writeFileSync(file, `${keys.privatePem}${pem}`);
    const args = ['pkcs12', '-export', '-in', file, '-passout', `pass:${passphrase}`, ...options];
    return execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
