import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Delay if a throttled response has no Retry-After. Huawei documents no delay. */
const THROTTLE_SECONDS = 5;

/** Meanings of Huawei's codes; see "Result codes" of "Sending messages" (read 2026-11). Success codes are below. */
const meanings: Readonly<Record<string, CodeMeaning>> = {
  '80100001': 'refused', // invalid parameter
  '80100003': 'refused', // invalid structure
  '80100004': 'refused', // the message has expired
  '80100013': 'refused', // invalid collapse_key
  '80100016': 'refused', // contains sensitive words
  '80100017': 'throttled', // too many tasks at the same time
  '80200001': 'stale-token', // token of another app, or no longer valid; a new token shows which of the two applies
  '80200003': 'stale-token', // expired
  '80200005': 'stale-token', // expired token signed by Carillon
  '80300002': 'locked-out', // the app is not allowed to send
  '80300007': 'token-dead', // all tokens are invalid
  '80300008': 'refused', // message too long
  '80300010': 'refused', // too many tokens, or none
  '80300011': 'refused', // no permission for messages of this kind
  '80300013': 'locked-out', // invalid callback URL
  '80300029': 'throttled', // too many test messages
  '80300036': 'locked-out', // a signed token whose lifetime is too long
  '80300037': 'locked-out', // the app is suspended
  '80600003': 'unreachable', // Huawei's authentication service is unavailable
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

/**
 * Returns one outcome per token, in order. The response applies to all tokens, except those that it lists as illegal.
 */
export function huaweiOutcomes(response: VendorResponse, tokens: readonly string[]): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  const accepted = { kind: 'accepted', channelMessageId: messageIdOf(json.requestId ?? json.request_id) } as const;
  if (code === ACCEPTED) return tokens.map(() => accepted);
  if (code !== ACCEPTED_IN_PART) return tokens.map(() => outcomeFor(response, code));
  const illegal = illegalTokens(json.msg);
  // Some devices received the message, but it is unknown which. All of them are retried, so some may receive it twice.
  if (!illegal)
    return tokens.map(() => ({ kind: 'unreachable', reason: `${code}, and illegal_tokens cannot be read` }));
  return markSuspectTokens(
    tokens.map((token) => (illegal.has(token) ? { kind: 'token-dead', reason: code } : accepted)),
  );
}

function outcomeFor(response: VendorResponse, code: string): VendorOutcome {
  const reason = code || `HTTP ${response.status}`;
  const kind = meaningOf(response.status, code);
  if (kind === 'throttled')
    return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
  // If all tokens are rejected, they probably belong to another app.
  return kind === 'token-dead' ? { kind, reason, suspect: true } : { kind, reason };
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

/**
 * Returns the illegal tokens from `msg`, a JSON string inside the JSON:
 * `{"success":3,"failure":1,"illegal_tokens":["…"]}`. Returns undefined if it has no list.
 */
function illegalTokens(msg: unknown): ReadonlySet<unknown> | undefined {
  const list = typeof msg === 'string' ? readJsonObject(msg)?.illegal_tokens : undefined;
  return Array.isArray(list) ? new Set<unknown>(list) : undefined;
}
