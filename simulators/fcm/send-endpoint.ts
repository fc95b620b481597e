import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest } from '../kit/https.ts';
import type { Tally } from '../kit/tally.ts';
import { type Arrival, taskOf } from './arrival.ts';
import { type Gate, judge } from './decide.ts';
import { acceptedEnding, pageNotFound, refusalEnding } from './responses.ts';
import type { FcmEnding } from './server.ts';

export type Surroundings = {
  readonly gate: Gate;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly slowMs: number;
};

/** Where messages go. */
export function serveSend(request: HttpsRequest, { gate, arrivals, tally, slowMs }: Surroundings): FcmEnding {
  const verdict = judge(request, gate, Date.now());
  if (verdict.kind === 'no-page') return pageNotFound;
  if (verdict.kind === 'refused') return refusalEnding(verdict);
  const { arrival, answer, name } = verdict;
  // It has arrived even if the answer comes late or never: exactly this is what makes a lost answer ambiguous.
  if (arrival !== undefined) {
    arrivals.add(arrival);
    tally.add(taskOf(arrival), arrival.token);
  }
  if (answer === 'never') return { kind: 'cut' };
  return { ...acceptedEnding(name), afterMs: answer === 'late' ? slowMs : 0 };
}
