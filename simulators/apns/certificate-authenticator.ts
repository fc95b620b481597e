import type { X509Certificate } from 'node:crypto';
import type { Authenticator, Sender } from './authenticator.ts';
import type { ClientAuthority, PushCertificate } from './client-authority.ts';
import type { ProviderKeys } from './provider-token-authenticator.ts';
import { type CheckResult, type Environment, pass, reject } from './responses.ts';

/**
 * A connection that showed a certificate. A bearer token is not looked at then. Apple ends the handshake with an
 * expired certificate; here it is BadCertificate, which a person at a simulator understands sooner.
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

  /** The handshake has shown everything, so this holds from the start. */
  get isAuthenticated(): boolean {
    return this.#certificate !== undefined;
  }

  check(_authorization: string | undefined, nowMs: number): CheckResult<Sender> {
    const certificate = this.#certificate;
    if (certificate === undefined) return reject('BadCertificate');
    const { topic, topics, notBeforeMs, notAfterMs } = certificate;
    const isInTime = notBeforeMs <= nowMs && nowMs < notAfterMs;
    // An app exists when some key may speak for it: there is no other list of apps.
    const isRegistered = [...this.#keys.values()].some((key) => key.topics.includes(topic));
    if (!isInTime || !isRegistered) return reject('BadCertificate');
    if (!certificate.environments.includes(this.#environment)) return reject('BadCertificateEnvironment');
    return pass(topics.length === 1 ? { topics, defaultTopic: topic } : { topics });
  }
}
