import type { CheckResult } from './responses.ts';

/** For which apps whoever was let in may push. */
export type Sender = {
  readonly topics: readonly string[];
  /** What a push is about that does not say; absent when it must say. */
  readonly defaultTopic?: string;
};

/** Who may push on one connection: it shows a certificate, or every push carries a provider token. */
export type Authenticator = {
  /** Has this connection shown who it is, so that it may have many streams? */
  readonly isAuthenticated: boolean;
  check(authorization: string | undefined, nowMs: number): CheckResult<Sender>;
};
