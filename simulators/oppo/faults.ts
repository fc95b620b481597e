import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorAnswer } from './responses.ts';
import { flowControl } from './send-endpoint.ts';

/** What can befall the service. Whatever it says itself comes with 200. */
export const oppoFaults = {
  ...commonFaults,
  outage: { door: 'send', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  /** The service itself is away, and says so. */
  paused: { door: 'send', effect: () => errorAnswer(-1) },
  throttle: {
    door: 'send',
    effect: ({ retryAfterSeconds }) =>
      flowControl(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }).answer,
  },
  /** Too many calls of this app. */
  limited: { door: 'send', effect: () => errorAnswer(13) },
  /** The day's allowance is gone. */
  quota: { door: 'send', effect: () => errorAnswer(33) },
  'wrong-credentials': { door: 'send', effect: () => errorAnswer(28) },
  'expired-token': { door: 'send', effect: () => errorAnswer(11) },
  'token-outage': { door: 'token', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  'token-limited': { door: 'token', effect: () => errorAnswer(55) },
  'token-refused': { door: 'token', effect: () => errorAnswer(16) },
} as const satisfies FaultTable;
