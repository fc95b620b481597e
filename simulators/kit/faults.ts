import { BadControlRequest, parseCount, parseOneOf, parseRecord } from './parse-input.ts';

/** A fault of the service, not of one token. It ends when either of its two limits is reached. */
export type Fault<Kind extends string> = {
  readonly kind: Kind;
  /** The vendor's endpoint that is affected; absent for all endpoints. */
  readonly endpoint: string | undefined;
  /** Value of the Retry-After header in the response. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole request body, for kinds of faults that have additional parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Number of requests that pass before the fault starts, for example until a quota is used up. */
  passesLeft: number;
  requestsLeft: number;
  readonly untilMs: number;
};

const FAULTS_MAX = 100; // pending at the same time; a script that forgets DELETE /faults gets an error
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
    if (this.#pending.length >= FAULTS_MAX)
      throw new BadControlRequest('the limit of pending faults has been reached; remove them with DELETE /faults');
    this.#pending.push(fault);
  }

  /** Returns the fault for a request to this endpoint. The oldest fault is used up before the next one. */
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

/**
 * Parses a fault. `requests` limits the number of affected requests and `duration_ms` limits the time. If both are
 * given, the fault ends at the first limit. `after_requests` delays its start.
 */
export function parseFault<Kind extends string>(
  body: unknown,
  kinds: readonly Kind[],
  endpointOf: (kind: Kind, parameters: Readonly<Record<string, unknown>>) => string | undefined,
  nowMs: number,
): Fault<Kind> {
  const parameters = parseRecord(body);
  const { requests, duration_ms, after_requests, retry_after_seconds } = parameters;
  if (requests === undefined && duration_ms === undefined)
    throw new BadControlRequest('requests, duration_ms or both are required');
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
