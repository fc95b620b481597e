import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorResponse } from './responses.ts';
import { flowControl } from './send-endpoint.ts';

/** Faults of the OPPO simulator. The service's own errors have HTTP status 200. */
export const oppoFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  /** The service reports that it is unavailable. */
  paused: { endpoint: 'send', effect: () => errorResponse(-1) },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds }) =>
      flowControl(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }).response,
  },
  /** The app has exceeded its rate limit. */
  limited: { endpoint: 'send', effect: () => errorResponse(13) },
  /** The daily quota is used up. */
  quota: { endpoint: 'send', effect: () => errorResponse(33) },
  'wrong-credentials': { endpoint: 'send', effect: () => errorResponse(28) },
  'expired-token': { endpoint: 'send', effect: () => errorResponse(11) },
  'token-outage': { endpoint: 'token', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  'token-limited': { endpoint: 'token', effect: () => errorResponse(55) },
  'token-refused': { endpoint: 'token', effect: () => errorResponse(16) },
} as const satisfies FaultTable;
