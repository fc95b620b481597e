import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { answerOf } from './responses.ts';

/** vivo says 500 with a plain text. */
const broken = { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' };

/** What can befall the service. vivo never says how long to wait. */
export const vivoFaults = {
  ...commonFaults,
  outage: { door: 'send', effect: () => broken },
  throttle: { door: 'send', effect: () => answerOf(10072) },
  quota: { door: 'send', effect: () => answerOf(10070) },
  'wrong-credentials': { door: 'send', effect: () => answerOf(10094) },
  'expired-token': { door: 'send', effect: () => answerOf(10000) },
  'token-outage': { door: 'token', effect: () => broken },
  'token-refused': { door: 'token', effect: () => answerOf(10206) },
} as const satisfies FaultTable;
