import { nextBeijingMidnight, responseTime } from '../translate/beijing-midnight.ts';
import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { readRetryAfter, retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';
import { isMainlandToken } from './region.ts';

/** OPPO does not say how long a flood lasts. */
const THROTTLE_SECONDS = 10;

type Meaning = CodeMeaning | 'quota-spent';

/** OPPO's codes in our words; see "返回码" of its interface (read 2026-11). Those of success are below. */
const codes: Readonly<Record<Meaning, string>> = {
  unreachable: '-1',
  throttled: '-2 13 55 69',
  'stale-token': '11 29', // it is a field: one that is missing was lost on the way
  'locked-out': '14 15 16 17 19 26 27 28 30', // 16: often the AppSecret instead of the MasterSecret; 19: our clock
  'quota-spent': '33 34 42',
  refused: '12 18 20 21 22 23 24 25 31 40 41 51 59 67 10002 10003',
  'token-dead': '10000 10001',
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(codes).flatMap(([meaning, list]) => list.split(' ').map((code) => [code, meaning as Meaning])),
);

const ACCEPTED = '0';
/** OPPO was given this message for this token before. It was us: nobody else knows the task. */
const DUPLICATE = '32';
/** Errors of one interface that are new since this table was written. */
const BUSINESS_ERROR = /^1\d{4}$/;

type Entry = Readonly<Record<string, unknown>>;

/** One per token, in order: success has an entry for each, and those may be refusals. */
export function oppoOutcomes(response: VendorResponse, tokens: readonly string[], now: Date): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  const entries = code === ACCEPTED ? entriesOf(json.data) : undefined;
  return markSuspectTokens(
    tokens.map((token): VendorOutcome => {
      if (!isMainlandToken(token)) return { kind: 'refused', reason: 'the token is not of mainland China' };
      if (code !== ACCEPTED) return oppoOutcome(response, code, now);
      const entry = entries?.get(token);
      // Somebody may have got it, and nobody knows who: it is tried again, and OPPO pushes it once.
      if (!entry) return { kind: 'unreachable', reason: '0, and the token is not in the answer' };
      return entryOutcome(response, entry, now);
    }),
  );
}

/** What a code of the whole answer means. */
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
  // Our token was good for the others.
  return outcome.kind === 'stale-token' ? { kind: 'unreachable', reason: code } : outcome;
}

function entriesOf(data: unknown): ReadonlyMap<unknown, Entry> {
  const list = Array.isArray(data) ? data.filter(isObject) : [];
  return new Map(list.map((entry) => [entry.registrationId ?? entry.registration_id, entry]));
}

/** OPPO's codes come with 200. An answer without one is of what stands before it. */
function meaningOf({ status, headers }: VendorResponse, code: string): Meaning {
  if (status === 429 || (status === 503 && readRetryAfter(headers) !== undefined)) return 'throttled';
  const meaning = meanings.get(code);
  if (meaning) return meaning;
  return status === 413 || BUSINESS_ERROR.test(code) ? 'refused' : 'unreachable';
}
