import { fateOf, isFateName, isNobody } from '../kit/token-outcomes.ts';
import type { ReadMessage } from './message-rules.ts';
import { type Refused, refusedByFcm } from './responses.ts';

/** What becomes of a message that passed every check. `answer` says when the sender hears of it: `never` is a cut stream. */
export type Fate = { kind: 'accepted'; answer: 'at-once' | 'late' | 'never' } | Refused;

const BUSY_SECONDS = 7;
const CHARACTERS_MAX = 4096;
const INSTALLATION_ID = /^[cdef][\w-]{21}$/;

export function fateOfTarget({ kind, value }: ReadMessage['target']): Fate {
  if (kind === 'topic' || kind === 'condition') return { kind: 'accepted', answer: 'at-once' };
  if (isMalformed(kind, value)) {
    const text = `The registration token is not a valid FCM registration ${kind}`;
    return refusedByFcm('INVALID_ARGUMENT', text, { field: `message.${kind}` });
  }
  if (value.startsWith('foreign-')) return refusedByFcm('SENDER_ID_MISMATCH', 'SenderId mismatch');
  switch (fateOf(value)) {
    case 'dead':
      return refusedByFcm('UNREGISTERED', 'Requested entity was not found.');
    case 'busy': {
      const text = 'Sending limit exceeded for the message target.';
      return refusedByFcm('QUOTA_EXCEEDED', text, { retryAfterSeconds: BUSY_SECONDS });
    }
    case 'down':
      return refusedByFcm('UNAVAILABLE', 'The service is currently unavailable.');
    case 'slow':
      return { kind: 'accepted', answer: 'late' };
    case 'half':
      return { kind: 'accepted', answer: 'never' };
    default:
      return { kind: 'accepted', answer: 'at-once' };
  }
}

function isMalformed(kind: 'token' | 'fid', value: string): boolean {
  if (value === '' || value.length > CHARACTERS_MAX || /\s/.test(value) || isNobody(value)) return true;
  return kind === 'fid' && !INSTALLATION_ID.test(value) && !isFateName(value) && !value.startsWith('foreign-');
}
