import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { responseOf } from './responses.ts';

/** vivo returns 500 with plain text. */
const internalServerError = { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' };

/** Faults of the vivo simulator. vivo never sends a retry delay. */
export const vivoFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => internalServerError },
  throttle: { endpoint: 'send', effect: () => responseOf(10072) },
  quota: { endpoint: 'send', effect: () => responseOf(10070) },
  'wrong-credentials': { endpoint: 'send', effect: () => responseOf(10094) },
  'expired-token': { endpoint: 'send', effect: () => responseOf(10000) },
  'token-outage': { endpoint: 'token', effect: () => internalServerError },
  'token-refused': { endpoint: 'token', effect: () => responseOf(10206) },
} as const satisfies FaultTable;
