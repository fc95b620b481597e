import { nextBeijingMidnight, responseTime } from '../translate/beijing-midnight.ts';
import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Delay if a throttled response has no Retry-After. Meizu limits requests per second and documents no delay. */
const THROTTLE_SECONDS = 5;
/** Delay for a throttled device. Meizu delivers at most five messages per app per minute to a device. */
const DEVICE_THROTTLE_SECONDS = 60;

/**
 * `day-quota-spent` lasts until the next day. `slow` delays one device for a minute. `device-quota-spent` delays one
 * device until the next day.
 */
type Meaning = CodeMeaning | 'day-quota-spent' | 'slow' | 'device-quota-spent';

/** Codes for a whole request; see Meizu's PushAPI and its SDK (read 2026-11). */
const requestMeanings: Readonly<Record<string, Meaning>> = {
  '300': 'unreachable', // a redirect, which is not followed
  '500': 'unreachable', // any other error
  '1001': 'unreachable', // internal error at Meizu
  '1003': 'unreachable', // busy
  '1005': 'refused', // invalid parameter
  '1006': 'locked-out', // invalid signature
  '110000': 'locked-out', // invalid AppId
  '110001': 'locked-out', // invalid AppKey
  '110002': 'token-dead', // no longer registered
  '110003': 'token-dead', // illegal token
  '110004': 'refused', // a parameter is empty
  '110009': 'locked-out', // the app is on a deny list
  '110010': 'throttled', // too many requests
  '110019': 'day-quota-spent', // daily message quota exceeded
  '110031': 'locked-out', // invalid package
  '110032': 'refused', // invalid task
  '110033': 'locked-out', // invalid AppSecret
  '110051': 'day-quota-spent', // total message quota exceeded
  '110053': 'refused', // data-only messages are no longer supported
};

/** Codes for one device. The same number can mean something else here than in `requestMeanings`. */
const deviceMeanings: Readonly<Record<string, Meaning>> = {
  '201': 'refused', // no permission
  '501': 'unreachable', // storage error at Meizu
  '513': 'unreachable', // internal error at Meizu
  '518': 'throttled', // above the rate that the app has set
  '519': 'slow', // overloaded
  '520': 'slow', // more than five messages per minute
  '110002': 'token-dead', // no longer registered
  '110003': 'token-dead', // illegal token
  '110005': 'refused', // invalid alias
  '110010': 'refused', // notifications are switched off; the token is valid
  '110011': 'device-quota-spent', // daily quota of public messages for this device exceeded
};

const ACCEPTED = '200';
/** Probably a token of another app, not a dead token. */
const ILLEGAL = '110003';

/**
 * Returns one outcome per token, in order. A response with code 200 lists the tokens that were not accepted in `value`,
 * by code.
 */
export function flymeOutcomes(response: VendorResponse, tokens: readonly string[]): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  if (code !== ACCEPTED) {
    const outcome = outcomeFor(response, meaningOf(response.status, code), code || `HTTP ${response.status}`);
    if (outcome.kind !== 'token-dead') return tokens.map(() => outcome);
    // The error does not name the token. A single token may also belong to another app.
    const isBatch = tokens.length > 1 && response.status === 200;
    return tokens.map(() => (isBatch ? { kind: 'batch-rejected' } : { ...outcome, suspect: true }));
  }
  const failedCodes = failedTokens(json.value);
  const accepted = { kind: 'accepted', channelMessageId: messageIdOf(json.msgId) } as const;
  return markSuspectTokens(
    tokens.map((token) => {
      const deviceCode = failedCodes.get(token);
      if (deviceCode === undefined) return accepted;
      const meaning = (Object.hasOwn(deviceMeanings, deviceCode) && deviceMeanings[deviceCode]) || 'unreachable';
      if (meaning === 'unreachable') return { kind: meaning, reason: deviceCode, device: true };
      return outcomeFor(response, meaning, deviceCode);
    }),
  );
}

function outcomeFor(response: VendorResponse, kind: Meaning, reason: string): VendorOutcome {
  switch (kind) {
    case 'throttled':
      return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
    case 'slow':
      return { kind: 'throttled', retryAfterSeconds: DEVICE_THROTTLE_SECONDS };
    case 'day-quota-spent':
      return { kind: 'quota-spent', until: nextBeijingMidnight(responseTime(response, new Date())) };
    case 'device-quota-spent':
      return { kind: 'quota-spent', until: nextBeijingMidnight(responseTime(response, new Date())), device: true };
    case 'token-dead':
      return reason === ILLEGAL ? { kind, reason, suspect: true } : { kind, reason };
    default:
      return { kind, reason };
  }
}

/** Prefers the code to the HTTP status, which is always 200 if there is a code. */
function meaningOf(status: number, code: string): Meaning {
  const meaning = Object.hasOwn(requestMeanings, code) ? requestMeanings[code] : undefined;
  if (meaning) return meaning;
  if (status === 429 || status === 503) return 'throttled';
  if (status === 401 || status === 403 || status === 404) return 'locked-out';
  // 408 comes from a proxy that timed out. Without a known code or a 4xx status the result is unclear.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable';
}

/** Returns the error codes by token. Without failures, `value` is an empty object or an empty string. */
function failedTokens(value: unknown): ReadonlyMap<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([code, tokens]) =>
      Array.isArray(tokens) ? tokens.map((token) => [String(token), code] as const) : [],
    ),
  );
}
