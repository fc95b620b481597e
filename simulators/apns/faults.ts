import type { Environment, Reason } from './answers.ts';

/** Troubles of the service, not of one token. Which of them still let the push arrive: see the table in the README. */
export const faultKinds = ['outage', 'throttle', 'wrong-credentials', 'goaway', 'reset', 'stall', 'truncate'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Lasts until one of its two bounds is reached; an absent environment means both. */
export type Fault = {
  readonly kind: FaultKind;
  readonly environment: Environment | undefined;
  requestsLeft: number;
  readonly untilMs: number;
};

/** The faults that are an answer like any other. */
export const reasonOfFault: Partial<Record<FaultKind, Reason>> = {
  outage: 'ServiceUnavailable',
  throttle: 'TooManyRequests',
  'wrong-credentials': 'InvalidProviderToken',
};

const FAULTS_MAX = 100; // waiting at once; a script that forgets DELETE /faults should hear of it

export class Faults {
  #waiting: Fault[] = [];

  /** Says no when too many are waiting. */
  add(fault: Fault): boolean {
    if (this.#waiting.length >= FAULTS_MAX) return false;
    this.#waiting.push(fault);
    return true;
  }

  /** The trouble this request meets. The oldest fault comes first and is used up before the next. */
  take(environment: Environment, nowMs: number): FaultKind | undefined {
    if (this.#waiting.length === 0) return undefined;
    this.#waiting = this.#waiting.filter((fault) => fault.requestsLeft > 0 && fault.untilMs > nowMs);
    const fault = this.#waiting.find((each) => each.environment === undefined || each.environment === environment);
    if (fault === undefined) return undefined;
    fault.requestsLeft -= 1;
    return fault.kind;
  }

  clear(): void {
    this.#waiting = [];
  }
}
