import type { Outcome } from '#src/domain/outcome.ts';
import { nextBeijingMidnight, responseTime } from '../translate/beijing-midnight.ts';
import { codeOf, isObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, ProviderToken, VendorOutcome, VendorResponse } from '../vendor.ts';
import { readResponse, taskIdOf } from './response.ts';

/** vivo counts messages by the second, and never says how long to wait. */
const THROTTLE_SECONDS = 1;
/** Tokens live for a day; vivo advises to have them anew every hour or two. */
const TOKEN_LIFETIME_SECONDS = 2 * 3_600;
/** It becomes a header. */
const TOKEN = /^[\x21-\x7e]+$/;
/** Operational messages are sent from 07:00 to 23:00 in Beijing. */
const OPENING_TIME_MS = 7 * 3_600_000;

/** `spent`: until the next day. `night`: until the next morning. Both are asked again then and not before. */
type Meaning = CodeMeaning | 'day-quota-spent' | 'outside-hours';

/** vivo's codes in our words; see "Server API" and senders of others (read 2026-11). */
const meanings: Readonly<Record<string, Meaning>> = {
  '10000': 'stale-token', // missing, wrong or expired: a new one shows which
  '10040': 'unreachable', // busy
  '10043': 'locked-out', // the app has closed its push channel
  '10045': 'locked-out', // the app is under review: test messages only
  '10050': 'refused', // no regId
  '10051': 'refused', // no such class
  '10054': 'refused', // notifyType
  '10055': 'refused', // no title
  '10056': 'refused', // the title is too long
  '10057': 'refused', // no text
  '10058': 'refused', // the text is too long
  '10059': 'refused', // timeToLive
  '10060': 'refused', // skipType
  '10065': 'refused', // networkType
  '10067': 'refused', // clientCustomMap
  '10070': 'day-quota-spent', // operational messages of the day
  '10071': 'outside-hours', // operational messages are for the day
  '10072': 'throttled', // too many in a second
  '10073': 'day-quota-spent', // system messages of the day
  '10082': 'refused', // no right for system messages: those of the other class may still go
  '10093': 'throttled', // too many tokens asked for
  '10094': 'locked-out', // the AppID is not that of the token
  '10095': 'refused', // notifyId
  '10096': 'refused', // category
  '10097': 'refused', // category and classification disagree
  '10103': 'refused', // sensitive words
  '10104': 'refused', // looks like a test
  '10150': 'refused', // no regIds
  '10151': 'refused', // no taskId
  '10152': 'refused', // a bad taskId
  '10153': 'refused', // too many regIds, or one
  '10155': 'unreachable', // the message that was saved is gone: the next try saves it again
  '10200': 'locked-out', // no AppID
  '10201': 'locked-out', // no AppKey
  '10202': 'locked-out', // a bad AppKey
  '10203': 'locked-out', // no timestamp
  '10204': 'locked-out', // no signature
  '10205': 'locked-out', // an unknown AppID
  '10206': 'locked-out', // a wrong signature
  '10207': 'locked-out', // the clock is wrong by more than ten minutes
  '10252': 'day-quota-spent', // messages for lists of the day
  '10254': 'day-quota-spent', // messages to everybody of the day
  '10302': 'token-dead',
  '10304': 'refused', // a key of `extra`
  '10305': 'refused', // the address for receipts is too long
  '10306': 'refused', // what comes back with receipts is too long
  '10311': 'refused', // the phone takes none just now: notifications are off, or it was away for long
  '10352': 'refused', // no requestId
  '10353': 'refused', // requestId is too long
  '10800': 'refused', // a parameter
  '10801': 'refused', // a parameter
};

const ACCEPTED = '0';

/** What vivo says of one phone. All but the first two are good tokens that it does not send to. */
const outcomeByState: Readonly<Record<string, (reason: string) => VendorOutcome>> = {
  // As well one of another app.
  '1': (reason) => ({ kind: 'token-dead', reason, suspect: true }),
  '2': (reason) => ({ kind: 'token-dead', reason }),
  '4': (reason) => ({ kind: 'refused', reason }), // a test message, and no phone for tests
  '7': (reason) => ({ kind: 'refused', reason }), // notifications are off
};

/** One per token, in order: the answer is one for all, except for phones that are listed as invalid. */
export function vivoOutcomes(
  response: VendorResponse,
  tokens: readonly string[],
  preparedId: string | undefined,
): readonly VendorOutcome[] {
  const json = readResponse(response.body) ?? {};
  const code = codeOf(json.result);
  const channelMessageId = preparedId ?? taskIdOf(json.taskId);
  const defaultOutcome: VendorOutcome =
    code === ACCEPTED ? { kind: 'accepted', channelMessageId } : outcomeFor(response, code);
  const invalidTokens = invalidUsers(json);
  return tokens.map((token) => {
    const state = invalidTokens.get(token);
    if (state === undefined) return defaultOutcome;
    const reason = `${code === ACCEPTED ? '10302' : code} status ${state}`;
    return (Object.hasOwn(outcomeByState, state) && outcomeByState[state]?.(reason)) || { kind: 'refused', reason };
  });
}

/** What vivo calls the message for a list, or what becomes of all of it. */
export function vivoPreparedId(response: VendorResponse): string | VendorOutcome {
  const json = readResponse(response.body) ?? {};
  const code = codeOf(json.result);
  if (code !== ACCEPTED) return outcomeFor(response, code);
  return taskIdOf(json.taskId) || { kind: 'unreachable', reason: 'saved without a name' };
}

/** What the auth call gives. Of a refusal only the code is kept: a description might quote what we sent. */
export function vivoToken(response: VendorResponse): ProviderToken | Outcome {
  const { result, authToken } = readResponse(response.body) ?? {};
  const code = codeOf(result);
  if (code === ACCEPTED) {
    if (typeof authToken === 'string' && TOKEN.test(authToken))
      return { token: authToken, lifetimeSeconds: TOKEN_LIFETIME_SECONDS };
    return { kind: 'unreachable', reason: 'no token: 0' };
  }
  const outcome = outcomeFor(response, code);
  if (outcome.kind === 'throttled') return outcome;
  const reason = `no token: ${code || `HTTP ${response.status}`}`;
  return outcome.kind === 'unreachable' ? { kind: 'unreachable', reason } : { kind: 'locked-out', reason };
}

function outcomeFor(response: VendorResponse, code: string): VendorOutcome {
  const reason = code || `HTTP ${response.status}`;
  const kind = meaningOf(response.status, code);
  const at = responseTime(response, new Date());
  if (kind === 'throttled')
    return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
  if (kind === 'day-quota-spent') return { kind: 'quota-spent', until: nextBeijingMidnight(at) };
  if (kind === 'outside-hours') return { kind: 'quota-spent', until: nextOpeningTime(at) };
  // Nobody has said which state it is in, so it may as well be one of another app.
  return kind === 'token-dead' ? { kind, reason, suspect: true } : { kind, reason };
}

/** A code says more than the status, which is always 200 with one. */
function meaningOf(status: number, code: string): Meaning {
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning) return meaning;
  if (status === 429 || status === 503) return 'throttled';
  if (status === 401) return 'stale-token';
  if (status === 403 || status === 404) return 'locked-out';
  // 408 is a proxy that did not wait. A code that is new is no clear answer.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable';
}

/** States by token: of a list in `invalidUsers`, of one alone in `invalidUser`. */
function invalidUsers({ invalidUser, invalidUsers }: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const entries = [invalidUser, ...(Array.isArray(invalidUsers) ? (invalidUsers as unknown[]) : [])];
  return new Map(
    entries
      .filter(isObject)
      .flatMap(({ userid, status }) =>
        typeof userid === 'string' || typeof userid === 'bigint' ? [[String(userid), codeOf(status)] as const] : [],
      ),
  );
}

function nextOpeningTime(at: Date): Date {
  return new Date(nextBeijingMidnight(new Date(at.getTime() - OPENING_TIME_MS)).getTime() + OPENING_TIME_MS);
}
