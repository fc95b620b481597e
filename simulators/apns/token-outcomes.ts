import { outcomeOfToken } from '../kit/token-outcomes.ts';
import { type Rejection, reject } from './responses.ts';

/** What becomes of a push that passed every check. `answer` says when the sender hears of it: `never` is a cut stream. */
export type Outcome = { kind: 'accepted'; responseTiming: 'at-once' | 'late' | 'never' } | Rejection;

const DEAD_SINCE = /^dead-since-(\d{13})(?:-|$)/;

/**
 * `dead-since-<epoch ms>-…` sets the 410's timestamp, for senders that must not unbind a device which registered again
 * afterwards; any other `dead-…` died just now.
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
