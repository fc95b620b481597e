import type { CheckResult } from './responses.ts';

/** The apps that an authenticated sender may push to. */
export type Sender = {
  readonly topics: readonly string[];
  /** Topic of a push without the `apns-topic` header. If absent, the header is required. */
  readonly defaultTopic?: string;
};

/** Authentication of one connection: by a client certificate, or by a provider token in every push. */
export type Authenticator = {
  /** Whether the connection is authenticated and may therefore open many streams. */
  readonly isAuthenticated: boolean;
  check(authorization: string | undefined, nowMs: number): CheckResult<Sender>;
};
