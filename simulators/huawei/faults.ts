import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { newRequestId, responseOf } from './responses.ts';
import { RETRY_AFTER_SECONDS } from './send-endpoint.ts';
import { tokenRejection } from './token-endpoint.ts';

const unavailable = { status: 503, body: 'Service Unavailable' };

/**
 * Faults of the Huawei simulator. Flow control and an outage both return 503, but only flow control sends Retry-After.
 */
export const huaweiFaults = {
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
  'expired-token': { endpoint: 'send', effect: () => responseOf('80200003', newRequestId(Date.now())) },
  'token-outage': { endpoint: 'token', effect: () => unavailable },
  'token-refused': { endpoint: 'token', effect: () => tokenRejection(12304).response },
} as const satisfies FaultTable;
