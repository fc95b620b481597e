import { randomBytes } from 'node:crypto';

export type BearerCheck = { kind: 'known'; owner: string } | { kind: 'expired' } | { kind: 'unknown' };

const TOKENS_MAX = 10_000; // the oldest is forgotten: a simulator may run for weeks
const TOKEN_BYTES = 48;

/** Access tokens that a pretend token endpoint has given out, and to whom. */
export class AccessTokens {
  readonly #lifeSeconds: number;
  readonly #byToken = new Map<string, { owner: string; untilMs: number }>();

  constructor(lifeSeconds: number) {
    this.#lifeSeconds = lifeSeconds;
  }

  issue(owner: string, nowMs: number): { token: string; lifeSeconds: number } {
    const token = randomBytes(TOKEN_BYTES).toString('base64'); // with `+` and `/`, as real ones have
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

  /** Everything given out so far is over. */
  expireAll(): void {
    for (const entry of this.#byToken.values()) entry.untilMs = 0;
  }
}

/** The token of an `authorization` header, or nothing. */
export function bearerOf(authorization: string | string[] | undefined): string | undefined {
  if (typeof authorization !== 'string') return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
