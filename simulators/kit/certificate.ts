import { generateKeyPairSync, randomBytes } from 'node:crypto';
import forge from 'node-forge';
import type { ServerIdentity } from './server-identity.ts';

const RSA_BITS = 2048;
const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_DAYS = 365; // longer than any run; some TLS clients reject certificates valid for over 825 days
/**
 * Starts the validity period in the past, so that a sender whose clock is days behind does not reject the certificate
 * as not yet valid. Apple's own certificate is also months old.
 */
const BACKDATED_DAYS = 30;

/**
 * Creates an authority and a TLS certificate for this machine and, if `name` is given, for that host name. The
 * authority's key is discarded immediately, so simulators that share one CA file must share the whole identity.
 */
export function createServerIdentity(nowMs: number, name?: string): ServerIdentity {
  const authority = createAuthority('Carillon push simulators', nowMs);
  const server = createKeys();

  const certificate = createCertificate(
    server.publicKey,
    [{ name: 'commonName', value: 'localhost' }],
    authority.name,
    nowMs,
  );
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'authorityKeyIdentifier', keyIdentifier: authority.certificate.generateSubjectKeyIdentifier().getBytes() },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' }, // DNS name
        { type: 7, ip: '127.0.0.1' },
        ...(name === undefined ? [] : [{ type: 2, value: name }]),
      ],
    },
  ]);
  certificate.sign(authority.keys.privateKey, forge.md.sha256.create());

  return {
    caPem: forge.pki.certificateToPem(authority.certificate),
    certificatePem: forge.pki.certificateToPem(certificate),
    keyPem: server.privateKeyPem,
    ...(name !== undefined && { name }),
  };
}

export function createAuthority(commonName: string, nowMs: number) {
  const keys = createKeys();
  const name = [{ name: 'commonName', value: commonName }];
  const certificate = createCertificate(keys.publicKey, name, name, nowMs);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return { keys, name, certificate };
}

/** Creates a key pair with Node's crypto module, because node-forge takes seconds. */
export function createKeys() {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    publicKey: forge.pki.publicKeyFromPem(pair.publicKey),
    privateKey: forge.pki.privateKeyFromPem(pair.privateKey),
    privateKeyPem: pair.privateKey,
  };
}

/** Creates an unsigned certificate, valid from 30 days before `nowMs` to a year after it. */
export function createCertificate(
  publicKey: forge.pki.PublicKey,
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  nowMs: number,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`; // a leading 01 keeps the number positive
  certificate.validity.notBefore = new Date(nowMs - BACKDATED_DAYS * DAY_MS);
  certificate.validity.notAfter = new Date(nowMs + VALID_DAYS * DAY_MS);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  return certificate;
}
