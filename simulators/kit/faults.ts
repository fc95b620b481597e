import { BadCall, parseCount, parseOneOf, parseRecord } from './parse-input.ts';

/** Trouble of the service, not of one token. It lasts until one of its two bounds is reached. */
export type Fault<Kind extends string> = {
  readonly kind: Kind;
  /** The vendor's server that it befalls; absent: every one. */
  readonly door: string | undefined;
  /** What a throttled sender is told. */
  readonly retryAfterSeconds: number | undefined;
  /** Everything the caller said, for kinds that a vendor adds with words of their own. */
  readonly call: Readonly<Record<string, unknown>>;
  /** So many requests pass before it begins: an allowance is spent by somebody. */
  passesLeft: number;
  requestsLeft: number;
  readonly untilMs: number;
};

const FAULTS_MAX = 100; // waiting at once; a script that forgets DELETE /faults should hear of it
const REQUESTS_MAX = 1_000_000;
const DURATION_MS_MAX = 24 * 60 * 60 * 1000;
const RETRY_AFTER_SECONDS_MAX = 24 * 60 * 60;

export class Faults<Kind extends string> {
  readonly kinds: readonly Kind[];
  #waiting: Fault<Kind>[] = [];

  constructor(kinds: readonly Kind[]) {
    this.kinds = kinds;
  }

  add(fault: Fault<Kind>): void {
    if (this.#waiting.length >= FAULTS_MAX) throw new BadCall('too many faults are waiting: DELETE /faults');
    this.#waiting.push(fault);
  }

  /** The trouble that a request at this door meets. The oldest fault comes first and is used up before the next. */
  take(door: string, nowMs: number): Fault<Kind> | undefined {
    if (this.#waiting.length === 0) return undefined;
    this.#waiting = this.#waiting.filter((fault) => fault.requestsLeft > 0 && fault.untilMs > nowMs);
    const fault = this.#waiting.find(
      (each) => (each.door === undefined || each.door === door) && each.passesLeft-- <= 0,
    );
    if (fault === undefined) return undefined;
    fault.requestsLeft -= 1;
    return fault;
  }

  clear(): void {
    this.#waiting = [];
  }
}

/** `requests` bounds a fault by number, `duration_ms` by time; with both, whichever ends first. `after_requests` delays it. */
export function parseFault<Kind extends string>(
  body: unknown,
  kinds: readonly Kind[],
  doorOf: (kind: Kind, call: Readonly<Record<string, unknown>>) => string | undefined,
  nowMs: number,
): Fault<Kind> {
  const call = parseRecord(body);
  const { requests, duration_ms, after_requests, retry_after_seconds } = call;
  if (requests === undefined && duration_ms === undefined) throw new BadCall('say requests, duration_ms or both');
  const kind = parseOneOf(call.kind, 'kind', kinds);
  const count = (value: unknown, name: string, max: number) =>
    value === undefined ? undefined : parseCount(value, name, max);
  return {
    kind,
    door: doorOf(kind, call),
    retryAfterSeconds: count(retry_after_seconds, 'retry_after_seconds', RETRY_AFTER_SECONDS_MAX),
    call,
    passesLeft: count(after_requests, 'after_requests', REQUESTS_MAX) ?? 0,
    requestsLeft: count(requests, 'requests', REQUESTS_MAX) ?? Number.POSITIVE_INFINITY,
    untilMs: nowMs + (count(duration_ms, 'duration_ms', DURATION_MS_MAX) ?? Number.POSITIVE_INFINITY),
  };
}
