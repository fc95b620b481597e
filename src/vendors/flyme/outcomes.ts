import { nextBeijingMidnight, responseTime } from '../translate/beijing-midnight.ts';
import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Meizu counts requests by the second, and never says how long to wait. */
const THROTTLE_SECONDS = 5;
/** One phone gets five messages of an app in a minute. */
const DEVICE_THROTTLE_SECONDS = 60;

/** `spent`: until the next day. `slow`, `sated`: this phone alone has to wait, a while or until the next day. */
type Meaning = CodeMeaning | 'day-quota-spent' | 'slow' | 'device-quota-spent';

/** Codes of a whole request; see Meizu's PushAPI and its SDK (read 2026-11). */
const requestMeanings: Readonly<Record<string, Meaning>> = {
  '300': 'unreachable', // another address, which is not followed
  '500': 'unreachable', // any other error
  '1001': 'unreachable', // an error of theirs
  '1003': 'unreachable', // busy
  '1005': 'refused', // a parameter
  '1006': 'locked-out', // the signature
  '110000': 'locked-out', // AppId
  '110001': 'locked-out', // AppKey
  '110002': 'token-dead', // not registered any more
  '110003': 'token-dead', // illegal
  '110004': 'refused', // a parameter is empty
  '110009': 'locked-out', // the app is on a black list
  '110010': 'throttled', // too many requests
  '110019': 'day-quota-spent', // messages of the day
  '110031': 'locked-out', // the package
  '110032': 'refused', // the task
  '110033': 'locked-out', // AppSecret
  '110051': 'day-quota-spent', // messages altogether
  '110053': 'refused', // commands are not passed through any more
};

/** Codes of one phone. The same number may mean something else there. */
const deviceMeanings: Readonly<Record<string, Meaning>> = {
  '201': 'refused', // no permission
  '501': 'unreachable', // their storage
  '513': 'unreachable', // an error of theirs
  '518': 'throttled', // quicker than the app has set
  '519': 'slow', // overloaded
  '520': 'slow', // five in a minute
  '110002': 'token-dead', // not registered any more
  '110003': 'token-dead', // illegal
  '110005': 'refused', // an alias
  '110010': 'refused', // notifications are switched off: the token is good
  '110011': 'device-quota-spent', // public messages of the day for this phone
};

const ACCEPTED = '200';
/** Rather a token of another app than a dead one. */
const ILLEGAL = '110003';

/** One per token, in order: a 200 lists in `value`, by code, those that were not accepted. */
export function flymeOutcomes(response: VendorResponse, tokens: readonly string[]): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  if (code !== ACCEPTED) {
    const outcome = outcomeFor(response, meaningOf(response.status, code), code || `HTTP ${response.status}`);
    // All tokens at once are rather those of another app than dead.
    return tokens.map(() => (outcome.kind === 'token-dead' ? { ...outcome, suspect: true } : outcome));
  }
  const failedCodes = failedTokens(json.value);
  const accepted = { kind: 'accepted', channelMessageId: messageIdOf(json.msgId) } as const;
  return markSuspectTokens(
    tokens.map((token) => {
      const deviceCode = failedCodes.get(token);
      if (deviceCode === undefined) return accepted;
      return outcomeFor(
        response,
        (Object.hasOwn(deviceMeanings, deviceCode) && deviceMeanings[deviceCode]) || 'unreachable',
        deviceCode,
      );
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

/** A code says more than the status, which is always 200 with one. */
function meaningOf(status: number, code: string): Meaning {
  const meaning = Object.hasOwn(requestMeanings, code) ? requestMeanings[code] : undefined;
  if (meaning) return meaning;
  if (status === 429 || status === 503) return 'throttled';
  if (status === 401 || status === 403 || status === 404) return 'locked-out';
  // 408 is a proxy that did not wait. A code that is new is no clear answer.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable';
}

/** Codes by token. Without failures it is an empty object, or an empty text. */
function failedTokens(value: unknown): ReadonlyMap<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([code, tokens]) =>
      Array.isArray(tokens) ? tokens.map((token) => [String(token), code] as const) : [],
    ),
  );
}
