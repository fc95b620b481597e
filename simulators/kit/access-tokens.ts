import { randomBytes } from 'node:crypto';

export type BearerCheck = { kind: 'known'; owner: string } | { kind: 'expired' } | { kind: 'unknown' };

const TOKENS_MAX = 10_000; // beyond this limit, the oldest token is dropped, because a simulator may run for weeks
const TOKEN_BYTES = 48;

/** Access tokens that a simulated token endpoint has issued, with their owners. */
export class AccessTokens {
  readonly #lifeSeconds: number;
  readonly #byToken = new Map<string, { owner: string; untilMs: number }>();

  constructor(lifeSeconds: number) {
    this.#lifeSeconds = lifeSeconds;
  }

  issue(owner: string, nowMs: number): { token: string; lifeSeconds: number } {
    const token = randomBytes(TOKEN_BYTES).toString('base64'); // contains `+` and `/`, like real tokens
    this.#byToken.set(token, { owner, untilMs: nowMs + this.#lifeSeconds * 1000 });
    const [oldest] = this.#byToken.keys();
    if (this.#byToken.size > TOKENS_MAX && oldest !== undefined) this.#byToken.delete(oldest);
    return { token, lifeSeconds: this.#lifeSeconds };
  }

  check(token: string, nowMs: number): BearerCheck {
    const entry = this.#byToken.get(token);
    if (entry === undefined) return { kind: 'unknown' };
    return nowMs < entry.untilMs ? { kind: 'known', owner: entry.owner } : { kind: 'expired' };
  }

  /** Expires all tokens issued so far. */
  expireAll(): void {
    for (const entry of this.#byToken.values()) entry.untilMs = 0;
  }
}

/** Returns the bearer token in an `authorization` header, or undefined if there is none. */
export function bearerOf(authorization: string | string[] | undefined): string | undefined {
  if (typeof authorization !== 'string') return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
