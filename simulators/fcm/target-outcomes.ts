import { hasOutcomePrefix, isUnassignedToken, outcomeOfToken } from '../kit/token-outcomes.ts';
import type { ParsedMessage } from './message-rules.ts';
import { type Rejection, rejectWithFcmCode } from './responses.ts';

/**
 * The outcome of a message that passed every check. `responseTiming` specifies when the response is sent; `never`
 * closes the stream without a response.
 */
export type TargetOutcome = { kind: 'accepted'; responseTiming: 'at-once' | 'late' | 'never' } | Rejection;

const BUSY_SECONDS = 7;
const CHARACTERS_MAX = 4096;
const INSTALLATION_ID = /^[cdef][\w-]{21}$/;

export function outcomeOfTarget({ kind, value }: ParsedMessage['target']): TargetOutcome {
  if (kind === 'topic' || kind === 'condition') return { kind: 'accepted', responseTiming: 'at-once' };
  if (isMalformed(kind, value)) {
    const text = `The registration token is not a valid FCM registration ${kind}`;
    return rejectWithFcmCode('INVALID_ARGUMENT', text, { field: `message.${kind}` });
  }
  if (value.startsWith('foreign-')) return rejectWithFcmCode('SENDER_ID_MISMATCH', 'SenderId mismatch');
  switch (outcomeOfToken(value)) {
    case 'dead':
      return rejectWithFcmCode('UNREGISTERED', 'Requested entity was not found.');
    case 'busy': {
      const text = 'Sending limit exceeded for the message target.';
      return rejectWithFcmCode('QUOTA_EXCEEDED', text, { retryAfterSeconds: BUSY_SECONDS });
    }
    case 'down':
      return rejectWithFcmCode('UNAVAILABLE', 'The service is currently unavailable.');
    case 'slow':
      return { kind: 'accepted', responseTiming: 'late' };
    case 'half':
      return { kind: 'accepted', responseTiming: 'never' };
    default:
      return { kind: 'accepted', responseTiming: 'at-once' };
  }
}

function isMalformed(kind: 'token' | 'fid', value: string): boolean {
  if (value === '' || value.length > CHARACTERS_MAX || /\s/.test(value) || isUnassignedToken(value)) return true;
  return kind === 'fid' && !INSTALLATION_ID.test(value) && !hasOutcomePrefix(value) && !value.startsWith('foreign-');
}
