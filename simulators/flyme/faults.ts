import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { refusalOf } from './responses.ts';

/** What can befall the service. Meizu never says how long to wait. */
export const flymeFaults = {
  ...commonFaults,
  outage: { door: 'send', effect: () => ({ status: 500, body: 'Internal Server Error' }) },
  overload: { door: 'send', effect: () => refusalOf('1003') },
  throttle: { door: 'send', effect: () => refusalOf('110010') },
  quota: { door: 'send', effect: () => refusalOf('110019') },
  'wrong-credentials': { door: 'send', effect: () => refusalOf('1006') },
} as const satisfies FaultTable;
