import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorResponse } from './responses.ts';

/** Faults of the Web Push simulator. They have the responses of Apple, whose errors are the most specific. */
export const webPushFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => ({ status: 503, body: 'Service Unavailable' }) },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds }) =>
      errorResponse(
        'apple',
        'busy',
        retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      ),
  },
  'wrong-credentials': { endpoint: 'send', effect: () => errorResponse('apple', 'bad-token') },
  redirect: {
    endpoint: 'send',
    effect: () => ({ status: 307, headers: { location: 'https://127.0.0.1:9/' }, body: '' }),
  },
} as const satisfies FaultTable;
