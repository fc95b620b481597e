import { jsonResponse } from '../kit/https.ts';
import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorResponse } from './responses.ts';
import { rateLimitExceeded } from './send-endpoint.ts';

/** Faults of the Xiaomi simulator. The service's own errors have HTTP status 200. */
export const xiaomiFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  /** The service reports that it is unavailable. */
  paused: { endpoint: 'send', effect: () => errorResponse(10002, 'System error') },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds }) =>
      rateLimitExceeded(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }).response,
  },
  /** The daily quota is used up. */
  quota: { endpoint: 'send', effect: () => errorResponse(200001, 'over today quota, quota: 10000, have acked: 10000') },
  /** Response to a request with several messages if the quota of their channel is used up. */
  'channel-quota': {
    endpoint: 'send',
    effect: () => jsonResponse(200, { result: 'ok', code: 0, data: { channel_exceed_quota: { '100123': 1 } } }),
  },
  forbidden: { endpoint: 'send', effect: () => errorResponse(10031, 'Operation forbidden') },
  'wrong-credentials': { endpoint: 'send', effect: () => errorResponse(21301, 'Invalid application secret.') },
} as const satisfies FaultTable;
