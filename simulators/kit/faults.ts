import { BadControlRequest, parseCount, parseOneOf, parseRecord } from './parse-input.ts';

/** Trouble of the service, not of one token. It lasts until one of its two bounds is reached. */
export type Fault<Kind extends string> = {
  readonly kind: Kind;
  /** The vendor's server that it befalls; absent: every one. */
  readonly endpoint: string | undefined;
  /** What a throttled sender is told. */
  readonly retryAfterSeconds: number | undefined;
  /** Everything the caller said, for kinds that a vendor adds with words of their own. */
  readonly parameters: Readonly<Record<string, unknown>>;
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
  #pending: Fault<Kind>[] = [];

  constructor(kinds: readonly Kind[]) {
    this.kinds = kinds;
  }

  add(fault: Fault<Kind>): void {
    if (this.#pending.length >= FAULTS_MAX) throw new BadControlRequest('too many faults are waiting: DELETE /faults');
    this.#pending.push(fault);
  }

  /** The trouble that a request at this door meets. The oldest fault comes first and is used up before the next. */
  take(endpoint: string, nowMs: number): Fault<Kind> | undefined {
    if (this.#pending.length === 0) return undefined;
    this.#pending = this.#pending.filter((fault) => fault.requestsLeft > 0 && fault.untilMs > nowMs);
    const fault = this.#pending.find(
      (each) => (each.endpoint === undefined || each.endpoint === endpoint) && each.passesLeft-- <= 0,
    );
    if (fault === undefined) return undefined;
    fault.requestsLeft -= 1;
    return fault;
  }

  clear(): void {
    this.#pending = [];
  }
}

/** `requests` bounds a fault by number, `duration_ms` by time; with both, whichever ends first. `after_requests` delays it. */
export function parseFault<Kind extends string>(
  body: unknown,
  kinds: readonly Kind[],
  endpointOf: (kind: Kind, parameters: Readonly<Record<string, unknown>>) => string | undefined,
  nowMs: number,
): Fault<Kind> {
  const parameters = parseRecord(body);
  const { requests, duration_ms, after_requests, retry_after_seconds } = parameters;
  if (requests === undefined && duration_ms === undefined)
    throw new BadControlRequest('say requests, duration_ms or both');
  const kind = parseOneOf(parameters.kind, 'kind', kinds);
  const optionalCount = (value: unknown, name: string, max: number) =>
    value === undefined ? undefined : parseCount(value, name, max);
  return {
    kind,
    endpoint: endpointOf(kind, parameters),
    retryAfterSeconds: optionalCount(retry_after_seconds, 'retry_after_seconds', RETRY_AFTER_SECONDS_MAX),
    parameters,
    passesLeft: optionalCount(after_requests, 'after_requests', REQUESTS_MAX) ?? 0,
    requestsLeft: optionalCount(requests, 'requests', REQUESTS_MAX) ?? Number.POSITIVE_INFINITY,
    untilMs: nowMs + (optionalCount(duration_ms, 'duration_ms', DURATION_MS_MAX) ?? Number.POSITIVE_INFINITY),
  };
}
