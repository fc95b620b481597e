import { type Environment, type Reason, statusOfReason } from './answers.ts';

/** How a request ended: with an answer of Apple's, or without a whole one. */
export type Ending = 'accepted' | Reason | 'goaway' | 'reset' | 'stall' | 'truncate' | 'cut' | 'gone';

type EnvironmentCounts = {
  connections: { opened: number; open: number };
  /** By `200`, `410 Unregistered` and so on, or by the way no answer was given. */
  requests: Record<string, number>;
};

/** Counts since the start, never reset: a test compares before and after. Connections prove that they are reused. */
export class Counts {
  readonly #byEnvironment: Record<Environment, EnvironmentCounts> = { sandbox: zeroes(), production: zeroes() };

  opened(environment: Environment): void {
    const { connections } = this.#byEnvironment[environment];
    connections.opened += 1;
    connections.open += 1;
  }

  closed(environment: Environment): void {
    this.#byEnvironment[environment].connections.open -= 1;
  }

  ended(environment: Environment, ending: Ending): void {
    const { requests } = this.#byEnvironment[environment];
    const label = labelOf(ending);
    requests[label] = (requests[label] ?? 0) + 1;
  }

  snapshot(): Record<Environment, EnvironmentCounts> {
    return structuredClone(this.#byEnvironment);
  }
}

function zeroes(): EnvironmentCounts {
  return { connections: { opened: 0, open: 0 }, requests: {} };
}

function labelOf(ending: Ending): string {
  if (ending === 'accepted') return '200';
  const status: Partial<Record<Ending, number>> = statusOfReason;
  return status[ending] === undefined ? ending : `${status[ending]} ${ending}`;
}
