import { KnownTokens, type UnknownAttempt } from '#src/foundation/known-tokens.ts';
import { TokenBucket } from '#src/foundation/token-bucket.ts';

interface ConnectLimitOptions {
  readonly perSecond: number;
  /** Maximum number of CONNECTs with unknown tokens per address and minute. 0 means no limit. */
  readonly unknownTokensPerMinute: number;
}

/** A CONNECT for which the databases are asked. Its result must be recorded. */
export interface AdmittedConnect extends UnknownAttempt {
  /** Called when the token is valid. */
  readonly accept: () => void;
}

/**
 * Limits the CONNECTs for which the databases are asked. Devices that were connected before have a separate rate limit,
 * so that other connections do not prevent them from connecting again.
 */
export class ConnectLimits {
  readonly #knownTokens: KnownTokens;
  readonly #forAll: TokenBucket;
  readonly #forKnownTokens: TokenBucket;

  constructor({ perSecond, unknownTokensPerMinute }: ConnectLimitOptions) {
    const now = performance.now();
    this.#knownTokens = new KnownTokens(unknownTokensPerMinute);
    this.#forAll = new TokenBucket(perSecond, now);
    this.#forKnownTokens = new TokenBucket(perSecond, now);
  }

  /** Returns undefined if the CONNECT must be rejected. The address is undefined if the connection is closed. */
  admit(address: string | undefined, token: string): AdmittedConnect | undefined {
    const now = performance.now();
    if (this.#knownTokens.isKnown(token) && this.#forKnownTokens.take(now)) return NO_ATTEMPT;
    const attempt = this.#knownTokens.attempt(address);
    if (!attempt) return undefined;
    if (!this.#forAll.take(now)) {
      attempt.forgive();
      return undefined;
    }
    const accept = () => {
      this.#knownTokens.add(token);
      attempt.forgive();
    };
    return { ...attempt, accept };
  }
}

const NO_ATTEMPT: AdmittedConnect = { accept: () => undefined, forgive: () => undefined };
