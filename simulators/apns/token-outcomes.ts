import { outcomeOfToken } from '../kit/token-outcomes.ts';
import { type Rejection, reject } from './responses.ts';

/**
 * The outcome of a push that passed every check. `responseTiming` specifies when the response is sent; `never` resets
 * the stream without a response.
 */
export type Outcome = { kind: 'accepted'; responseTiming: 'at-once' | 'late' | 'never' } | Rejection;

const DEAD_SINCE = /^dead-since-(\d{13})(?:-|$)/;

/**
 * Returns the outcome of a token. `dead-since-<epoch ms>-…` sets the timestamp of the 410. Tests use it to check that a
 * sender does not unbind a device that registered later. For any other `dead-…` token, the timestamp is the current
 * time.
 */
export function outcomeOf(token: string, nowMs: number): Outcome {
  switch (outcomeOfToken(token)) {
    case 'dead':
      return { ...reject('Unregistered'), timestampMs: Number(DEAD_SINCE.exec(token)?.[1] ?? nowMs) };
    case 'busy':
      return reject('TooManyRequests');
    case 'down':
      return reject('ServiceUnavailable');
    case 'slow':
      return { kind: 'accepted', responseTiming: 'late' };
    case 'half':
      return { kind: 'accepted', responseTiming: 'never' };
    default:
      return { kind: 'accepted', responseTiming: 'at-once' };
  }
}
