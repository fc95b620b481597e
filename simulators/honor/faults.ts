import { jsonAnswer } from '../kit/https.ts';
import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorAnswer } from './responses.ts';
import { RETRY_AFTER_SECONDS } from './send-endpoint.ts';
import { tokenRefusal } from './token-endpoint.ts';

const unavailable = jsonAnswer(503, { code: 503, message: 'Service Unavailable', data: null });

/** What can befall the service. */
export const honorFaults = {
  ...commonFaults,
  outage: { door: 'send', effect: () => unavailable },
  throttle: {
    door: 'send',
    effect: ({ retryAfterSeconds = RETRY_AFTER_SECONDS }) =>
      jsonAnswer(
        429,
        { code: 429, message: 'Too Many Requests', data: null },
        { 'retry-after': String(retryAfterSeconds) },
      ),
  },
  'wrong-credentials': { door: 'send', effect: () => errorAnswer(80200001) },
  'expired-token': { door: 'send', effect: () => errorAnswer(80200003) },
  'token-outage': { door: 'token', effect: () => unavailable },
  'token-refused': { door: 'token', effect: () => tokenRefusal('unauthorized_client').answer },
} as const satisfies FaultTable;
