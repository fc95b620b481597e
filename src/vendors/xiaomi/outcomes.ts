import { nextBeijingMidnight, responseTime } from '../translate/beijing-midnight.ts';
import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { readRetryAfter, retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Delay if a throttled response has no Retry-After. Xiaomi limits requests per second and documents no delay. */
const THROTTLE_SECONDS = 5;

type Meaning = CodeMeaning | 'quota-spent';

/** Meanings of Xiaomi's codes; see "服务端错误码参考" (2024-10-18). Codes that depend on other values are below. */
const codes: Readonly<Record<Exclude<Meaning, 'token-dead' | 'stale-token'>, string>> = {
  unreachable: `-1 1 10001 10002 10003 10009 10010 10011 10037
    20607 22102 26003 65003 65029`, // 65003: the device is offline
  throttled: `10022 10023 10024 10027 10028 10030 10032 10039
    22101 26004 26005 200002`,
  'quota-spent': '10034 200001',
  'locked-out': `10004 10005 10006 10014 10026 10031 10033 10036 10038
    21301 21302 21303
    22000 22001 22002 22003 22004 22005 22006 22007 22008 22022 66109`,
  refused: `100 10007 10008 10012 10016 10017 10018 10020 10021 10025 10041
    20209 20215 20216 20315 21305 22100 22103 26006 27001
    65006 65007 65008 65009 65010 65011 65012 65013 65014 65015 65016 65017 65028 65030
    65035 65036 65037 65038 65040 65041 65042
    66006 66008 66108 66300 66301 66302 66303 66304 66305 66306 66307 66308 70011 70012`,
};

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(codes).flatMap(([meaning, list]) => list.split(/\s+/).map((code) => [code, meaning as Meaning])),
);

const ACCEPTED = '0';
const SEND_FAILED = '20301';
/** A malformed token, and an unknown device. Xiaomi sends nothing, even if the request has other tokens. */
const TOKEN_REJECTIONS = ['66007', '10029'];

/** Returns one outcome per token, in order. The response applies to all tokens, except those that it lists as bad. */
export function xiaomiOutcomes(
  response: VendorResponse,
  tokens: readonly string[],
  now: Date,
): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code) || negativeCodeOf(json.code);
  if (code !== ACCEPTED || response.status !== 200) {
    if (tokens.length > 1 && TOKEN_REJECTIONS.includes(code) && response.status === 200)
      return tokens.map(() => ({ kind: 'batch-rejected' }));
    const outcome = outcomeFor(response, code, String(json.reason ?? ''), now);
    return tokens.map(() => outcome);
  }
  const data = isObject(json.data) ? json.data : {};
  const badTokens = new Set(typeof data.bad_regids === 'string' ? data.bad_regids.split(',') : []);
  const accepted = { kind: 'accepted', channelMessageId: messageIdOf(data.id) } as const;
  return markSuspectTokens(
    tokens.map((token) => (badTokens.has(token) ? { kind: 'token-dead', reason: 'bad_regids' } : accepted)),
  );
}

function outcomeFor(response: VendorResponse, code: string, errorText: string, now: Date): VendorOutcome {
  const kind = meaningOf(response, code, errorText);
  if (kind === 'throttled')
    return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
  if (kind === 'quota-spent') return { kind, until: nextBeijingMidnight(responseTime(response, now)) };
  const reason = code || `HTTP ${response.status}`;
  // If all tokens are rejected, they probably belong to another app.
  return kind === 'token-dead' ? { kind, reason, suspect: true } : { kind, reason };
}

/**
 * Returns the meaning of a response. Xiaomi sends its own rejections with status 200; any other status comes from a
 * proxy in front of Xiaomi.
 */
function meaningOf({ status, headers }: VendorResponse, code: string, errorText: string): Meaning {
  if (status === 429 || (status === 503 && readRetryAfter(headers) !== undefined)) return 'throttled';
  if (code === SEND_FAILED) return /no valid targets/i.test(errorText) ? 'token-dead' : 'unreachable';
  if (TOKEN_REJECTIONS.includes(code)) return 'token-dead';
  const meaning = meanings.get(code);
  if (meaning) return meaning;
  if (status === 401 || status === 403) return 'locked-out';
  // 408 comes from a proxy that timed out. Without a known code or a 4xx status the result is unclear.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable';
}

const negativeCodeOf = (value: unknown): string => (value === -1 || value === '-1' ? '-1' : '');
