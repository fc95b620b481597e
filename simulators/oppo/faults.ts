import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorResponse } from './responses.ts';
import { flowControl } from './send-endpoint.ts';

/** What can befall the service. Whatever it says itself comes with 200. */
export const oppoFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  /** The service itself is away, and says so. */
  paused: { endpoint: 'send', effect: () => errorResponse(-1) },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds }) =>
      flowControl(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }).response,
  },
  /** Too many calls of this app. */
  limited: { endpoint: 'send', effect: () => errorResponse(13) },
  /** The day's allowance is gone. */
  quota: { endpoint: 'send', effect: () => errorResponse(33) },
  'wrong-credentials': { endpoint: 'send', effect: () => errorResponse(28) },
  'expired-token': { endpoint: 'send', effect: () => errorResponse(11) },
  'token-outage': { endpoint: 'token', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  'token-limited': { endpoint: 'token', effect: () => errorResponse(55) },
  'token-refused': { endpoint: 'token', effect: () => errorResponse(16) },
} as const satisfies FaultTable;
