import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { newRequestId, RETRY_AFTER_SECONDS, responseOf } from './responses.ts';

const unavailable = { status: 503, body: 'Service Unavailable' };

/**
 * Faults of the HarmonyOS simulator. Flow control and an outage both return 503, but only flow control sends
 * Retry-After.
 */
export const harmonyFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => unavailable },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds = RETRY_AFTER_SECONDS }) => ({
      ...unavailable,
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  },
  'wrong-credentials': { endpoint: 'send', effect: () => responseOf('80200001', newRequestId(Date.now())) },
  'expired-token': { endpoint: 'send', effect: () => responseOf('80200005', newRequestId(Date.now())) },
} as const satisfies FaultTable;
