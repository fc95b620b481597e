import type { Outcome } from '#src/domain/outcome.ts';
import { readRetryAfter, retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';
import { type FcmError, readFcmError, readMessageId } from './response.ts';

/** The delay that Google recommends if a response does not specify one. */
const THROTTLE_SECONDS = 60;

type Meaning =
  | CodeMeaning
  | 'token-suspect'
  | 'bad-argument' // in the message or in its target
  | 'unavailable'; // throttled if the response specifies a delay

/**
 * FCM's error codes, then the codes that all Google APIs share; see "FCM error codes" and `google.rpc.Code` (read
 * 2026-11).
 */
const meanings: Readonly<Record<string, Meaning>> = {
  UNREGISTERED: 'token-dead',
  SENDER_ID_MISMATCH: 'token-suspect',
  INVALID_ARGUMENT: 'bad-argument',
  // The project has no credentials for the platform of this token, which is iOS or web. Android phones are not affected.
  THIRD_PARTY_AUTH_ERROR: 'refused',
  APNS_AUTH_ERROR: 'refused',
  QUOTA_EXCEEDED: 'throttled',
  UNAVAILABLE: 'unavailable',
  INTERNAL: 'unreachable',
  UNSPECIFIED_ERROR: 'unreachable',

  UNAUTHENTICATED: 'stale-token',
  PERMISSION_DENIED: 'locked-out',
  // The project in the path is wrong or does not exist, so Google has not checked the target.
  NOT_FOUND: 'locked-out',
  RESOURCE_EXHAUSTED: 'throttled',
};

export function fcmOutcome(response: VendorResponse): VendorOutcome {
  if (response.status === 200) return acceptedOutcome(response.body);
  const error = readFcmError(response.body);
  const meaning = meaningOf(error.code) ?? meaningOf(error.status) ?? meaningOfStatus(response.status);
  return outcomeOf(meaning, error, response);
}

const meaningOf = (word: string): Meaning | undefined => (Object.hasOwn(meanings, word) ? meanings[word] : undefined);

/** Returns the meaning of a code that is not in the table, or of a response that is not from Google. */
function meaningOfStatus(status: number): Meaning {
  if (status === 401) return 'stale-token';
  if (status === 403 || status === 404) return 'locked-out';
  if (status === 429) return 'throttled';
  if (status === 503) return 'unavailable';
  return status >= 400 && status < 500 ? 'refused' : 'unreachable';
}

function outcomeOf(meaning: Meaning, error: FcmError, { status, headers }: VendorResponse): VendorOutcome {
  const reason = [error.code || error.status || `HTTP ${status}`, error.detail].filter((word) => word !== '').join(' ');
  switch (meaning) {
    case 'token-suspect':
      return { kind: 'token-dead', reason, suspect: true };
    case 'bad-argument':
      return isAboutTarget(error) ? { kind: 'token-dead', reason, suspect: true } : { kind: 'refused', reason };
    case 'throttled':
      return throttled(retryAfterSeconds(headers, THROTTLE_SECONDS), error.isDeviceQuota);
    case 'unavailable': {
      const seconds = readRetryAfter(headers);
      return seconds === undefined ? { kind: 'unreachable', reason } : throttled(seconds, false);
    }
    default:
      return { kind: meaning, reason };
  }
}

const throttled = (seconds: number, isDeviceQuota: boolean): Outcome => ({
  kind: 'throttled',
  retryAfterSeconds: seconds,
  ...(!isDeviceQuota && { account: true }),
});

/**
 * Fields and error texts that show that the token is invalid. An oversized message has the same code but a different
 * text.
 */
const TARGET_FIELDS = ['message.token', 'message.fid'];
const TARGET_TEXT = /registration token|installation id/i;
/** Google's generic error text, which gives no specific reason. */
const GENERIC_TEXT = /^(request contains an invalid argument\.?)?$/i;

function isAboutTarget({ code, text, fields }: FcmError): boolean {
  if (fields.length > 0) return fields.some((field) => TARGET_FIELDS.includes(field));
  return TARGET_TEXT.test(text) || (code !== '' && GENERIC_TEXT.test(text));
}

function acceptedOutcome(body: string): Outcome {
  const id = readMessageId(body);
  // A proxy between Carillon and Google can return an arbitrary page with status 200.
  return id === undefined
    ? { kind: 'unreachable', reason: 'no message id' }
    : { kind: 'accepted', channelMessageId: id };
}
