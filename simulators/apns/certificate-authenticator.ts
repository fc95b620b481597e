import type { X509Certificate } from 'node:crypto';
import type { Authenticator, Sender } from './authenticator.ts';
import type { ClientAuthority, PushCertificate } from './client-authority.ts';
import type { ProviderKeys } from './provider-token-authenticator.ts';
import { type CheckResult, type Environment, pass, reject } from './responses.ts';

/**
 * Authenticates a connection by its client certificate and ignores bearer tokens. Apple aborts the TLS handshake if the
 * certificate has expired. The simulator returns BadCertificate instead, because that is easier to diagnose.
 */
export class CertificateAuthenticator implements Authenticator {
  readonly #certificate: PushCertificate | undefined;
  readonly #keys: ProviderKeys;
  readonly #environment: Environment;

  constructor(
    clientCertificate: X509Certificate,
    authority: ClientAuthority,
    keys: ProviderKeys,
    environment: Environment,
  ) {
    this.#certificate = authority.read(clientCertificate);
    this.#keys = keys;
    this.#environment = environment;
  }

  /**
   * Whether the authority issued the certificate. This is known before the first push, because the sender presents the
   * certificate in the TLS handshake.
   */
  get isAuthenticated(): boolean {
    return this.#certificate !== undefined;
  }

  check(_authorization: string | undefined, nowMs: number): CheckResult<Sender> {
    const certificate = this.#certificate;
    if (certificate === undefined) return reject('BadCertificate');
    const { topic, topics, notBeforeMs, notAfterMs } = certificate;
    const isInTime = notBeforeMs <= nowMs && nowMs < notAfterMs;
    // An app exists if at least one key lists its topic; the simulator has no other list of apps.
    const isRegistered = [...this.#keys.values()].some((key) => key.topics.includes(topic));
    if (!isInTime || !isRegistered) return reject('BadCertificate');
    if (!certificate.environments.includes(this.#environment)) return reject('BadCertificateEnvironment');
    return pass(topics.length === 1 ? { topics, defaultTopic: topic } : { topics });
  }
}
