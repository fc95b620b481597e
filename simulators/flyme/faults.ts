import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorResponse } from './responses.ts';

/** Faults of the Meizu simulator. Meizu never sends a retry delay. */
export const flymeFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => ({ status: 500, body: 'Internal Server Error' }) },
  overload: { endpoint: 'send', effect: () => errorResponse('1003') },
  throttle: { endpoint: 'send', effect: () => errorResponse('110010') },
  quota: { endpoint: 'send', effect: () => errorResponse('110019') },
  'wrong-credentials': { endpoint: 'send', effect: () => errorResponse('1006') },
} as const satisfies FaultTable;
