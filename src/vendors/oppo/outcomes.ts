import { nextBeijingMidnight, responseTime } from '../translate/beijing-midnight.ts';
import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { readRetryAfter, retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';
import { isMainlandToken } from './region.ts';

/** Delay if a throttled response has no Retry-After. OPPO documents no delay. */
const THROTTLE_SECONDS = 10;

type Meaning = CodeMeaning | 'quota-spent';

/** Meanings of OPPO's codes; see "返回码" of its API (read 2026-11). Success codes are below. */
const codes: Readonly<Record<Meaning, string>> = {
  unreachable: '-1',
  throttled: '-2 13 55 69',
  'stale-token': '11 29', // invalid or missing; Carillon always sends the form field, so a missing token was lost in transit
  'locked-out': '14 15 16 17 19 26 27 28 30', // 16: often the AppSecret instead of the MasterSecret; 19: Carillon's clock
  'quota-spent': '33 34 42',
  refused: '12 18 20 21 22 23 24 25 31 40 41 51 59 67 10002 10003',
  'token-dead': '10000 10001',
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(codes).flatMap(([meaning, list]) => list.split(' ').map((code) => [code, meaning as Meaning])),
);

const ACCEPTED = '0';
/**
 * OPPO has already received this message for this token. The message ID is Carillon's task ID, so an earlier attempt
 * sent it.
 */
const DUPLICATE = '32';
/** API-specific OPPO error codes that are newer than this table. */
const BUSINESS_ERROR = /^1\d{4}$/;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Returns one outcome per token, in order. A successful response has an entry for each token, and an entry can be a
 * rejection.
 */
export function oppoOutcomes(response: VendorResponse, tokens: readonly string[], now: Date): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  const entries = code === ACCEPTED ? entriesOf(json.data) : undefined;
  // OPPO has rejected the list because of a token, and does not name the token.
  if (tokens.length > 1 && meaningOf(response, code) === 'token-dead' && response.status === 200)
    return tokens.map(() => ({ kind: 'batch-rejected' }));
  return markSuspectTokens(
    tokens.map((token): VendorOutcome => {
      if (!isMainlandToken(token)) return { kind: 'refused', reason: 'the token is not from mainland China' };
      if (code !== ACCEPTED) return oppoOutcome(response, code, now);
      const entry = entries?.get(token);
      // The device may have received the message. Carillon retries it, and OPPO delivers it only once.
      if (!entry) return { kind: 'unreachable', reason: '0, and the response has no entry for the token' };
      return entryOutcome(response, entry, now);
    }),
  );
}

/** Returns the outcome for a code of a response or of one of its entries. */
export function oppoOutcome(response: VendorResponse, code: string, now: Date): VendorOutcome {
  const kind = meaningOf(response, code);
  if (code === DUPLICATE) return { kind: 'accepted', channelMessageId: '' };
  if (kind === 'throttled')
    return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
  if (kind === 'quota-spent') return { kind, until: nextBeijingMidnight(responseTime(response, now)) };
  return { kind, reason: code || `HTTP ${response.status}` };
}

function entryOutcome(response: VendorResponse, entry: Entry, now: Date): VendorOutcome {
  const code = codeOf(entry.errorCode ?? entry.error_code);
  if (code === '' || code === ACCEPTED)
    return { kind: 'accepted', channelMessageId: messageIdOf(entry.messageId ?? entry.message_id) };
  const outcome = oppoOutcome(response, code, now);
  // The other entries show that the access token is valid.
  return outcome.kind === 'stale-token' ? { kind: 'unreachable', reason: code } : outcome;
}

function entriesOf(data: unknown): ReadonlyMap<unknown, Entry> {
  const list = Array.isArray(data) ? data.filter(isObject) : [];
  return new Map(list.map((entry) => [entry.registrationId ?? entry.registration_id, entry]));
}

/**
 * Returns the meaning of a response. OPPO sends its codes with status 200; a response without a code comes from a proxy
 * in front of OPPO.
 */
function meaningOf({ status, headers }: VendorResponse, code: string): Meaning {
  if (status === 429 || (status === 503 && readRetryAfter(headers) !== undefined)) return 'throttled';
  const meaning = meanings.get(code);
  if (meaning) return meaning;
  return status === 413 || BUSINESS_ERROR.test(code) ? 'refused' : 'unreachable';
}
