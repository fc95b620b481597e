import { jsonResponse } from '../kit/https.ts';
import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorResponse } from './responses.ts';
import { rateLimitExceeded } from './send-endpoint.ts';

/** What can befall the service. Whatever it says itself comes with 200. */
export const xiaomiFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  /** The service itself is away, and says so. */
  paused: { endpoint: 'send', effect: () => errorResponse(10002, 'System error') },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds }) =>
      rateLimitExceeded(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }).response,
  },
  /** The day's allowance is gone. */
  quota: { endpoint: 'send', effect: () => errorResponse(200001, 'over today quota, quota: 10000, have acked: 10000') },
  /** How several messages in one call are told that their channel's allowance is gone. */
  'channel-quota': {
    endpoint: 'send',
    effect: () => jsonResponse(200, { result: 'ok', code: 0, data: { channel_exceed_quota: { '100123': 1 } } }),
  },
  forbidden: { endpoint: 'send', effect: () => errorResponse(10031, 'Operation forbidden') },
  'wrong-credentials': { endpoint: 'send', effect: () => errorResponse(21301, 'Invalid application secret.') },
} as const satisfies FaultTable;
