import { jsonResponse } from '../kit/https.ts';
import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorResponse } from './responses.ts';
import { RETRY_AFTER_SECONDS } from './send-endpoint.ts';
import { tokenRejection } from './token-endpoint.ts';

const unavailable = jsonResponse(503, { code: 503, message: 'Service Unavailable', data: null });

/** Faults of the Honor simulator. */
export const honorFaults = {
  ...commonFaults,
  outage: { endpoint: 'send', effect: () => unavailable },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds = RETRY_AFTER_SECONDS }) =>
      jsonResponse(
        429,
        { code: 429, message: 'Too Many Requests', data: null },
        { 'retry-after': String(retryAfterSeconds) },
      ),
  },
  'wrong-credentials': { endpoint: 'send', effect: () => errorResponse(80200001) },
  'expired-token': { endpoint: 'send', effect: () => errorResponse(80200003) },
  'token-outage': { endpoint: 'token', effect: () => unavailable },
  'token-refused': { endpoint: 'token', effect: () => tokenRejection('unauthorized_client').response },
} as const satisfies FaultTable;
