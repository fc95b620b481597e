import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { answerOf, newRequestId } from './responses.ts';
import { RETRY_AFTER_SECONDS } from './send-endpoint.ts';
import { tokenRefusal } from './token-endpoint.ts';

const unavailable = { status: 503, body: 'Service Unavailable' };

/** What can befall the service. Flow control and an outage have the same status here; only one says when to return. */
export const huaweiFaults = {
  ...commonFaults,
  outage: { door: 'send', effect: () => unavailable },
  throttle: {
    door: 'send',
    effect: ({ retryAfterSeconds = RETRY_AFTER_SECONDS }) => ({
      ...unavailable,
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  },
  'wrong-credentials': { door: 'send', effect: () => answerOf('80200001', newRequestId(Date.now())) },
  'expired-token': { door: 'send', effect: () => answerOf('80200003', newRequestId(Date.now())) },
  'token-outage': { door: 'token', effect: () => unavailable },
  'token-refused': { door: 'token', effect: () => tokenRefusal(12304).answer },
} as const satisfies FaultTable;
