import { jsonAnswer } from '../kit/https.ts';
import { commonFaults, type FaultTable } from '../kit/service-faults.ts';
import { errorAnswer } from './responses.ts';
import { overRate } from './send-endpoint.ts';

/** What can befall the service. Whatever it says itself comes with 200. */
export const xiaomiFaults = {
  ...commonFaults,
  outage: { door: 'send', effect: () => ({ status: 502, body: 'Bad Gateway' }) },
  /** The service itself is away, and says so. */
  paused: { door: 'send', effect: () => errorAnswer(10002, 'System error') },
  throttle: {
    door: 'send',
    effect: ({ retryAfterSeconds }) =>
      overRate(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }).answer,
  },
  /** The day's allowance is gone. */
  quota: { door: 'send', effect: () => errorAnswer(200001, 'over today quota, quota: 10000, have acked: 10000') },
  /** How several messages in one call are told that their channel's allowance is gone. */
  'channel-quota': {
    door: 'send',
    effect: () => jsonAnswer(200, { result: 'ok', code: 0, data: { channel_exceed_quota: { '100123': 1 } } }),
  },
  forbidden: { door: 'send', effect: () => errorAnswer(10031, 'Operation forbidden') },
  'wrong-credentials': { door: 'send', effect: () => errorAnswer(21301, 'Invalid application secret.') },
} as const satisfies FaultTable;
