import type { X509Certificate } from 'node:crypto';
import type { Gate, Sender } from './authenticator.ts';
import type { ClientAuthority, PushCertificate } from './client-authority.ts';
import type { ProviderKeys } from './provider-token-authenticator.ts';
import { type Checked, type Environment, passed, refused } from './responses.ts';

/**
 * A connection that showed a certificate. A bearer token is not looked at then. Apple ends the handshake with an
 * expired certificate; here it is BadCertificate, which a person at a simulator understands sooner.
 */
export class CertificateGate implements Gate {
  readonly #certificate: PushCertificate | undefined;
  readonly #keys: ProviderKeys;
  readonly #environment: Environment;

  constructor(shown: X509Certificate, authority: ClientAuthority, keys: ProviderKeys, environment: Environment) {
    this.#certificate = authority.read(shown);
    this.#keys = keys;
    this.#environment = environment;
  }

  /** The handshake has shown everything, so this holds from the start. */
  get isOpen(): boolean {
    return this.#certificate !== undefined;
  }

  check(_authorization: string | undefined, nowMs: number): Checked<Sender> {
    const certificate = this.#certificate;
    if (certificate === undefined) return refused('BadCertificate');
    const { topic, topics, notBeforeMs, notAfterMs } = certificate;
    const isInTime = notBeforeMs <= nowMs && nowMs < notAfterMs;
    // An app exists when some key may speak for it: there is no other list of apps.
    const isRegistered = [...this.#keys.values()].some((key) => key.topics.includes(topic));
    if (!isInTime || !isRegistered) return refused('BadCertificate');
    if (!certificate.environments.includes(this.#environment)) return refused('BadCertificateEnvironment');
    return passed(topics.length === 1 ? { topics, topicUnsaid: topic } : { topics });
  }
}
