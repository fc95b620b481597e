import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Delay if a throttled response has no Retry-After. Huawei documents no delay. */
const THROTTLE_SECONDS = 5;

/** Meanings of the codes; see "Response" of the HarmonyOS Push Kit API (read 2026-11). Success codes are below. */
const meanings: Readonly<Record<string, CodeMeaning>> = {
  '80100001': 'refused', // invalid parameter
  '80100003': 'refused', // invalid structure
  '80100004': 'refused', // invalid ttl
  '80100022': 'refused', // the image was not reviewed
  '80200001': 'stale-token', // invalid signed token
  '80200005': 'stale-token', // expired signed token
  '80300002': 'locked-out', // Push Kit is not enabled, or the project ID is wrong
  '80300008': 'refused', // message too long
  '80300010': 'refused', // too many tokens, or none
  '80300029': 'throttled', // too many test messages
  '80300030': 'refused', // more than 10 tokens in a test message
  '80300036': 'locked-out', // a signed token whose lifetime is too long
  '80300037': 'locked-out', // the app is suspended
  '81000001': 'unreachable', // internal error at Huawei
};

/** Meanings of codes that are newer than this table, by prefix. */
const meaningsByPrefix: readonly (readonly [string, CodeMeaning])[] = [
  ['801', 'refused'],
  ['802', 'stale-token'],
  ['803', 'refused'],
];

const ACCEPTED = '80000000';
const ACCEPTED_IN_PART = '80100000';
const ALL_REJECTED = '80300007';

/**
 * Outcomes of the reasons in `illegalTokens`. A token with any other reason is valid, and only this message is refused.
 */
const outcomesByReason: Readonly<Record<string, 'token-dead' | 'suspect' | 'locked-out'>> = {
  tokenFormatError: 'token-dead',
  tokenPlatformNotSupport: 'token-dead', // a token of an Android app, or of HarmonyOS 4 or earlier
  // The token belongs to another project, or the phone was upgraded to HarmonyOS 5 and the token is the old one.
  noRight: 'suspect',
  appinfoError: 'locked-out', // Huawei does not know the app yet
  disableSendHuaweiMsgBecauseOfPenalty: 'locked-out',
};

/**
 * Returns one outcome per token, in order. The response applies to all tokens, except those that it lists as illegal.
 */
export function harmonyOutcomes(response: VendorResponse, tokens: readonly string[]): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  const accepted = { kind: 'accepted', channelMessageId: messageIdOf(json.requestId) } as const;
  if (code === ACCEPTED) return tokens.map(() => accepted);
  if (code !== ACCEPTED_IN_PART && code !== ALL_REJECTED) return tokens.map(() => outcomeFor(response, code));
  const reasons = illegalTokens(json.msg);
  const unlisted: VendorOutcome =
    code === ALL_REJECTED
      ? { kind: 'token-dead', reason: code, suspect: true }
      : reasons
        ? accepted
        : // It is unknown which tokens were accepted. All are retried, so some may receive the message twice.
          { kind: 'unreachable', reason: `${code}, and illegalTokens cannot be read` };
  return tokens.map((token) => {
    const reason = reasons?.get(token);
    return reason === undefined ? unlisted : outcomeForReason(reason);
  });
}

function outcomeForReason(reason: string): VendorOutcome {
  const kind = (Object.hasOwn(outcomesByReason, reason) && outcomesByReason[reason]) || 'refused';
  return kind === 'suspect' ? { kind: 'token-dead', reason, suspect: true } : { kind, reason };
}

function outcomeFor(response: VendorResponse, code: string): VendorOutcome {
  const reason = code || `HTTP ${response.status}`;
  const kind = meaningOf(response.status, code);
  return kind === 'throttled'
    ? { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true }
    : { kind, reason };
}

/**
 * Returns the meaning of a response. Throttling is detected by status alone; otherwise the code is more specific than
 * the status.
 */
function meaningOf(status: number, code: string): CodeMeaning {
  if (status === 429 || status === 503) return 'throttled';
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning) return meaning;
  if (status === 401) return 'stale-token';
  if (status === 403 || status === 404) return 'locked-out';
  const prefixMeaning = meaningsByPrefix.find(([prefix]) => code.startsWith(prefix));
  if (prefixMeaning && status < 500) return prefixMeaning[1];
  // 408 comes from a proxy that timed out. Without a known code or a 4xx status the result is unclear.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable';
}

/** Longest reason that is stored in the trace. */
const REASON_CHARACTERS_MAX = 64;

/**
 * Returns the reason for each illegal token from `msg`, a JSON string inside the JSON:
 * `{"success":3,"failure":1,"illegalTokens":{"noRight":["…"]}}`. A reason can have blanks around it. Returns undefined
 * if no list can be read.
 */
function illegalTokens(msg: unknown): ReadonlyMap<unknown, string> | undefined {
  const lists = typeof msg === 'string' ? readJsonObject(msg)?.illegalTokens : undefined;
  if (!isObject(lists)) return undefined;
  return new Map(
    Object.entries(lists).flatMap(([reason, tokens]) =>
      (Array.isArray(tokens) ? tokens : []).map((token) => [token, reason.trim().slice(0, REASON_CHARACTERS_MAX)]),
    ),
  );
}
