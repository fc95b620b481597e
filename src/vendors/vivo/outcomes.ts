import type { Outcome } from '#src/domain/outcome.ts';
import { nextBeijingMidnight, responseTime } from '../translate/beijing-midnight.ts';
import { codeOf, isObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, ProviderToken, VendorOutcome, VendorResponse } from '../vendor.ts';
import { readResponse, taskIdOf } from './response.ts';

/** Delay if a throttled response has no Retry-After. vivo limits messages per second and documents no delay. */
const THROTTLE_SECONDS = 1;
/** Tokens are valid for a day; vivo recommends renewing them every one to two hours. */
const TOKEN_LIFETIME_SECONDS = 2 * 3_600;
/** Format of a token, which is sent in a header. */
const TOKEN = /^[\x21-\x7e]+$/;
/** vivo accepts operational messages from 07:00 to 23:00 in Beijing. */
const OPENING_TIME_MS = 7 * 3_600_000;

/** `day-quota-spent` lasts until the next day, `outside-hours` until the next morning. Neither is retried earlier. */
type Meaning = CodeMeaning | 'day-quota-spent' | 'outside-hours';

/** Meanings of vivo's codes; see "Server API" and third-party clients (read 2026-11). */
const meanings: Readonly<Record<string, Meaning>> = {
  '10000': 'stale-token', // missing, wrong or expired; a new token shows which of these applies
  '10040': 'unreachable', // busy
  '10043': 'locked-out', // the app has closed its push channel
  '10045': 'locked-out', // the app is under review: test messages only
  '10050': 'refused', // no regId
  '10051': 'refused', // unknown class
  '10054': 'refused', // invalid notifyType
  '10055': 'refused', // no title
  '10056': 'refused', // the title is too long
  '10057': 'refused', // no text
  '10058': 'refused', // the text is too long
  '10059': 'refused', // invalid timeToLive
  '10060': 'refused', // invalid skipType
  '10065': 'refused', // invalid networkType
  '10067': 'refused', // invalid clientCustomMap
  '10070': 'day-quota-spent', // daily quota of operational messages exceeded
  '10071': 'outside-hours', // operational messages outside the allowed hours
  '10072': 'throttled', // too many messages in a second
  '10073': 'day-quota-spent', // daily quota of system messages exceeded
  '10082': 'refused', // no permission for system messages; operational messages can still be sent
  '10093': 'throttled', // too many token requests
  '10094': 'locked-out', // the AppID does not match the token
  '10095': 'refused', // invalid notifyId
  '10096': 'refused', // invalid category
  '10097': 'refused', // category and classification disagree
  '10103': 'refused', // contains sensitive words
  '10104': 'refused', // looks like a test message
  '10150': 'refused', // no regIds
  '10151': 'refused', // no taskId
  '10152': 'refused', // invalid taskId
  '10153': 'refused', // too many regIds, or only one
  '10155': 'unreachable', // the saved message no longer exists: the next attempt saves it again
  '10200': 'locked-out', // no AppID
  '10201': 'locked-out', // no AppKey
  '10202': 'locked-out', // invalid AppKey
  '10203': 'locked-out', // no timestamp
  '10204': 'locked-out', // no signature
  '10205': 'locked-out', // unknown AppID
  '10206': 'locked-out', // wrong signature
  '10207': 'locked-out', // the clock is wrong by more than ten minutes
  '10252': 'day-quota-spent', // daily quota of messages to lists exceeded
  '10254': 'day-quota-spent', // daily quota of messages to all devices exceeded
  '10302': 'token-dead',
  '10304': 'refused', // invalid key of `extra`
  '10305': 'refused', // the callback URL is too long
  '10306': 'refused', // the callback parameter is too long
  '10311': 'refused', // the device accepts no messages now: notifications are off, or it was offline for a long time
  '10352': 'refused', // no requestId
  '10353': 'refused', // requestId is too long
  '10800': 'refused', // invalid parameter
  '10801': 'refused', // invalid parameter
};

const ACCEPTED = '0';

/**
 * Outcomes by vivo's status of one token. For every status except 1 and 2, the token is valid, but vivo does not send
 * to it.
 */
const outcomeByState: Readonly<Record<string, (reason: string) => VendorOutcome>> = {
  // The token may also belong to another app.
  '1': (reason) => ({ kind: 'token-dead', reason, suspect: true }),
  '2': (reason) => ({ kind: 'token-dead', reason }),
  '4': (reason) => ({ kind: 'refused', reason }), // a test message to a device that is not a test device
  '7': (reason) => ({ kind: 'refused', reason }), // notifications are off
};

/**
 * Returns one outcome per token, in order. The response applies to all tokens, except those that it lists as invalid.
 */
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

/** Returns vivo's ID for a message to a list of devices, or the outcome for all tokens. */
export function vivoPreparedId(response: VendorResponse): string | VendorOutcome {
  const json = readResponse(response.body) ?? {};
  const code = codeOf(json.result);
  if (code !== ACCEPTED) return outcomeFor(response, code);
  return taskIdOf(json.taskId) || { kind: 'unreachable', reason: 'the saved message has no taskId' };
}

/**
 * Reads the response to a token request. For a rejection, only the code is kept, because a description might quote the
 * request.
 */
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
  // The status of the token is unknown, so it may also belong to another app.
  return kind === 'token-dead' ? { kind, reason, suspect: true } : { kind, reason };
}

/** Prefers the code to the HTTP status, which is always 200 if there is a code. */
function meaningOf(status: number, code: string): Meaning {
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning) return meaning;
  if (status === 429 || status === 503) return 'throttled';
  if (status === 401) return 'stale-token';
  if (status === 403 || status === 404) return 'locked-out';
  // 408 comes from a proxy that timed out. Without a known code or a 4xx status the result is unclear.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable';
}

/** Returns the status of each invalid token: from `invalidUsers` for a list, from `invalidUser` for a single token. */
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
