import { randomBytes, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { createAuthority, createCertificate, createKeys } from '../kit/certificate.ts';
import { createKeychainP12 } from './keychain-p12.ts';
import { type Environment, environments } from './responses.ts';

/** A push certificate as an operator exports it from the Keychain. */
export type ClientIdentity = {
  readonly p12Base64: string;
  readonly passphrase: string;
  readonly topic: string;
  readonly expiresAtMs: number;
};

/** Contents of a push certificate. */
export type PushCertificate = {
  readonly topic: string;
  readonly topics: readonly string[];
  readonly environments: readonly Environment[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
};

export type P12Options = {
  readonly topic: string;
  readonly environment: Environment | undefined;
  readonly isExpired: boolean;
};

/** Object identifiers of the bundle id in the subject and of Apple's extensions in a push certificate. */
const USER_ID = '0.9.2342.19200300.100.1.1';
const TOPICS = '1.2.840.113635.100.6.3.6';
const oidOfEnvironment: Readonly<Record<Environment, string>> = {
  sandbox: '1.2.840.113635.100.6.3.1',
  production: '1.2.840.113635.100.6.3.2',
};
const EXPIRED_BEFORE_MS = 400 * 24 * 60 * 60 * 1000; // longer than the validity period of one year
const PASSPHRASE_BYTES = 9;

const { Class, Type } = forge.asn1;

/** Simulates Apple's certificate authority: issues push certificates and recognizes the ones it has issued. */
export class ClientAuthority {
  readonly #authority: ReturnType<typeof createAuthority>;
  readonly #x509: X509Certificate;

  constructor(nowMs: number) {
    this.#authority = createAuthority('Carillon simulated Apple Worldwide Developer Relations', nowMs);
    this.#x509 = new X509Certificate(forge.pki.certificateToPem(this.#authority.certificate));
  }

  /**
   * Issues a push certificate. If `environment` is undefined, the certificate is of Apple's newer type, which is valid
   * in both environments and lists its topics.
   */
  issue({ topic, environment, isExpired }: P12Options, nowMs: number): ClientIdentity {
    const keys = createKeys();
    const subject = [
      { type: USER_ID, value: topic, valueTagClass: Type.UTF8 },
      { name: 'commonName', value: `Apple Push Services: ${topic}` },
      { name: 'countryName', value: 'US' },
    ] as forge.pki.CertificateField[];
    const issuedAtMs = isExpired ? nowMs - EXPIRED_BEFORE_MS : nowMs;
    const certificate = createCertificate(keys.publicKey, subject, this.#authority.name, issuedAtMs);
    const allowedEnvironments = environment === undefined ? environments : [environment];
    certificate.setExtensions([
      { name: 'basicConstraints', critical: true, cA: false },
      { name: 'keyUsage', critical: true, digitalSignature: true },
      { name: 'extKeyUsage', clientAuth: true },
      ...allowedEnvironments.map((each) => ({
        id: oidOfEnvironment[each],
        value: toDer(forge.asn1.create(0, Type.NULL, false, '')),
      })),
      ...(environment === undefined ? [{ id: TOPICS, value: toDer(topicsExtension(topic)) }] : []),
    ]);
    certificate.sign(this.#authority.keys.privateKey, forge.md.sha256.create());
    const passphrase = randomBytes(PASSPHRASE_BYTES).toString('base64url');
    return {
      p12Base64: createKeychainP12(certificate, keys.privateKeyPem, passphrase).toString('base64'),
      passphrase,
      topic,
      expiresAtMs: certificate.validity.notAfter.getTime(),
    };
  }

  /** Returns undefined if another authority issued the certificate. */
  read(clientCertificate: X509Certificate): PushCertificate | undefined {
    if (!clientCertificate.verify(this.#x509.publicKey)) return undefined;
    const certificate = forge.pki.certificateFromPem(clientCertificate.toString());
    const topic = String(certificate.subject.getField({ type: USER_ID })?.value);
    const extensionOf = (id: string) => certificate.getExtension({ id } as never) as { value: string } | null;
    const topicsValue = extensionOf(TOPICS);
    return {
      topic,
      topics: topicsValue === null ? [topic] : parseTopicsExtension(topicsValue.value),
      environments: environments.filter((each) => extensionOf(oidOfEnvironment[each]) !== null),
      notBeforeMs: certificate.validity.notBefore.getTime(),
      notAfterMs: certificate.validity.notAfter.getTime(),
    };
  }
}

/**
 * Returns a sequence in which each topic is followed by its use: `com.example.app`, [`app`], `com.example.app.voip`,
 * [`voip`], …
 */
function topicsExtension(topic: string): forge.asn1.Asn1 {
  const text = (value: string) => forge.asn1.create(Class.UNIVERSAL, Type.UTF8, false, value);
  const list = (items: forge.asn1.Asn1[]) => forge.asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, items);
  return list(
    [
      [topic, 'app'],
      [`${topic}.voip`, 'voip'],
      [`${topic}.complication`, 'complication'],
    ].flatMap(([name = '', use = '']) => [text(name), list([text(use)])]),
  );
}

function parseTopicsExtension(der: string): string[] {
  const items = forge.asn1.fromDer(der).value as forge.asn1.Asn1[]; // always valid, because issue() wrote it
  return items.filter((item) => item.type === Type.UTF8).map((item) => String(item.value));
}

function toDer(value: forge.asn1.Asn1): string {
  return forge.asn1.toDer(value).getBytes();
}
