import type { Arrivals } from '../kit/arrivals.ts';
import type { HttpsRequest } from '../kit/https.ts';
import type { Tally } from '../kit/tally.ts';
import { type Arrival, taskOf } from './arrival.ts';
import { type AccessControl, decide } from './decide.ts';
import { acceptedResponse, pageNotFound, rejectionResponse } from './responses.ts';
import type { FcmResponse } from './server.ts';

export type SendContext = {
  readonly access: AccessControl;
  readonly arrivals: Arrivals<Arrival>;
  readonly tally: Tally;
  readonly slowMs: number;
};

/** Serves the endpoint that messages are sent to. */
export function serveSend(request: HttpsRequest, { access, arrivals, tally, slowMs }: SendContext): FcmResponse {
  const decision = decide(request, access, Date.now());
  if (decision.kind === 'no-page') return pageNotFound;
  if (decision.kind === 'refused') return rejectionResponse(decision);
  const { arrival, responseTiming, name } = decision;
  // The message is delivered even if the response is late or missing. This makes a lost response ambiguous for the
  // sender.
  if (arrival !== undefined) {
    arrivals.add(arrival);
    tally.add(taskOf(arrival), arrival.token);
  }
  if (responseTiming === 'never') return { kind: 'cut' };
  return { ...acceptedResponse(name), afterMs: responseTiming === 'late' ? slowMs : 0 };
}
