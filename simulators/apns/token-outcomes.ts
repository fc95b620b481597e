import { fateOf } from '../kit/token-outcomes.ts';
import { type Refused, refused } from './responses.ts';

/** What becomes of a push that passed every check. `answer` says when the sender hears of it: `never` is a cut stream. */
export type Outcome = { kind: 'accepted'; answer: 'at-once' | 'late' | 'never' } | Refused;

const DEAD_SINCE = /^dead-since-(\d{13})(?:-|$)/;

/**
 * `dead-since-<epoch ms>-…` sets the 410's timestamp, for senders that must not unbind a device which registered again
 * afterwards; any other `dead-…` died just now.
 */
export function outcomeOf(token: string, nowMs: number): Outcome {
  switch (fateOf(token)) {
    case 'dead':
      return { ...refused('Unregistered'), timestampMs: Number(DEAD_SINCE.exec(token)?.[1] ?? nowMs) };
    case 'busy':
      return refused('TooManyRequests');
    case 'down':
      return refused('ServiceUnavailable');
    case 'slow':
      return { kind: 'accepted', answer: 'late' };
    case 'half':
      return { kind: 'accepted', answer: 'never' };
    default:
      return { kind: 'accepted', answer: 'at-once' };
  }
}
