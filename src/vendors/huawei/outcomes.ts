import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Huawei does not say how long a flood lasts unless it sends Retry-After. */
const THROTTLE_SECONDS = 5;

/** Huawei's codes in our words; see "Result codes" of "Sending messages" (read 2026-11). Those of success are below. */
const meanings: Readonly<Record<string, CodeMeaning>> = {
  '80100001': 'refused', // a parameter is wrong
  '80100003': 'refused', // the structure is wrong
  '80100004': 'refused', // it has expired
  '80100013': 'refused', // collapse_key
  '80100016': 'refused', // sensitive words
  '80100017': 'throttled', // too many tasks at once
  '80200001': 'stale-token', // of another app, or not good any more: a new one shows which
  '80200003': 'stale-token', // expired
  '80200005': 'stale-token', // expired, signed by us
  '80300002': 'locked-out', // the app may not send
  '80300007': 'token-dead', // all of them
  '80300008': 'refused', // too long
  '80300010': 'refused', // too many tokens, or none
  '80300011': 'refused', // no right for messages of this kind
  '80300013': 'locked-out', // the address for receipts is wrong
  '80300029': 'throttled', // too many test messages
  '80300036': 'locked-out', // a signed token that lives too long
  '80300037': 'locked-out', // the app is being punished
  '80600003': 'unreachable', // their own sign-in service is away
  '81000001': 'unreachable', // an error of theirs
};

/** Codes that are new since this table was written, by how they begin. */
const meaningsByPrefix: readonly (readonly [string, CodeMeaning])[] = [
  ['801', 'refused'],
  ['802', 'stale-token'],
  ['803', 'refused'],
];

const ACCEPTED = '80000000';
const ACCEPTED_IN_PART = '80100000';

/** One per token, in order: the answer is one for all, except that some tokens may be listed as illegal. */
export function huaweiOutcomes(response: VendorResponse, tokens: readonly string[]): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  const accepted = { kind: 'accepted', channelMessageId: messageIdOf(json.requestId ?? json.request_id) } as const;
  if (code === ACCEPTED) return tokens.map(() => accepted);
  if (code !== ACCEPTED_IN_PART) return tokens.map(() => outcomeFor(response, code));
  const illegal = illegalTokens(json.msg);
  // Somebody got it, and nobody knows who: everybody is tried again, and may get it twice.
  if (!illegal) return tokens.map(() => ({ kind: 'unreachable', reason: `${code}, and the list cannot be read` }));
  return markSuspectTokens(
    tokens.map((token) => (illegal.has(token) ? { kind: 'token-dead', reason: code } : accepted)),
  );
}

function outcomeFor(response: VendorResponse, code: string): VendorOutcome {
  const reason = code || `HTTP ${response.status}`;
  const kind = meaningOf(response.status, code);
  if (kind === 'throttled')
    return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
  // All tokens at once are rather those of another app than dead.
  return kind === 'token-dead' ? { kind, reason, suspect: true } : { kind, reason };
}

/** A flood is told by the status alone. For the rest a code says more than the status that it comes with. */
function meaningOf(status: number, code: string): CodeMeaning {
  if (status === 429 || status === 503) return 'throttled';
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning) return meaning;
  if (status === 401) return 'stale-token';
  if (status === 403 || status === 404) return 'locked-out';
  const prefixMeaning = meaningsByPrefix.find(([prefix]) => code.startsWith(prefix));
  if (prefixMeaning && status < 500) return prefixMeaning[1];
  // 408 is a proxy that did not wait. What is neither a refusal nor in Huawei's words is no clear answer.
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable';
}

/** `msg` is a JSON text inside the JSON: `{"success":3,"failure":1,"illegal_tokens":["…"]}`. */
function illegalTokens(msg: unknown): ReadonlySet<unknown> | undefined {
  const list = typeof msg === 'string' ? readJsonObject(msg)?.illegal_tokens : undefined;
  return Array.isArray(list) ? new Set<unknown>(list) : undefined;
}
