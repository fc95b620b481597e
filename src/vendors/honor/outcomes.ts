import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Honor does not say how long a flood lasts unless it sends Retry-After. */
const THROTTLE_SECONDS = 5;

/** Four SDKs take 200 for success, one takes 80000000, two take both. */
const ACCEPTED = ['200', '80000000'];
/** Huawei's code for "some of them"; the lists say which. */
const ACCEPTED_IN_PART = '80100000';

/**
 * What an answer means that is no success: the first rule that its HTTP status or its code matches. Honor's own page of
 * codes was not at hand: those that begin with 80 and 81 are Huawei's, whose service Honor's grew out of.
 */
const rules: readonly (readonly [CodeMeaning, { readonly status?: RegExp; readonly code?: RegExp }])[] = [
  ['stale-token', { status: /^401$/, code: /^(401|802\d{5})$/ }],
  ['locked-out', { status: /^403$/, code: /^(403|80300002)$/ }],
  ['locked-out', { status: /^404$/ }], // a wrong App ID is a wrong path
  ['throttled', { status: /^(429|503)$/, code: /^(429|503)$/ }],
  ['unreachable', { status: /^5/, code: /^(5\d\d|806\d{5}|810\d{5})$/ }],
  ['token-dead', { code: /^80300007$/ }], // all of them
  ['refused', { status: /^400$/, code: /^(400|801\d{5}|80300008|80300010)$/ }],
];

/** One per token, in order: accepted, unless it is in a list of those that are not. */
export function honorOutcomes(response: VendorResponse, tokens: readonly string[]): readonly VendorOutcome[] {
  const json = readJsonObject(response.body) ?? {};
  const code = codeOf(json.code);
  const data = isObject(json.data) ? json.data : {};
  const [expired, failed] = [listOf(data.expireTokens), listOf(data.failTokens)];
  const isPartial = code === ACCEPTED_IN_PART && expired.size + failed.size > 0;
  const defaultOutcome =
    (ACCEPTED.includes(code) || isPartial) && data.sendResult !== false
      ? ({ kind: 'accepted', channelMessageId: messageIdOf(data.requestId) } as const)
      : outcomeFor(response, code);
  return markSuspectTokens(
    tokens.map((token): VendorOutcome => {
      if (expired.has(token)) return { kind: 'token-dead', reason: 'expireTokens' };
      if (failed.has(token)) return { kind: 'unreachable', reason: `failTokens, ${code}` };
      return defaultOutcome;
    }),
  );
}

function outcomeFor(response: VendorResponse, code: string): VendorOutcome {
  const reason = code === '' ? `HTTP ${response.status}` : code;
  const kind = meaningOf(response.status, code);
  if (kind === 'throttled')
    return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
  // All tokens at once are rather those of another app than dead.
  return kind === 'token-dead' ? { kind, reason, suspect: true } : { kind, reason };
}

/** What no rule knows is no clear answer, and kills no token. */
function meaningOf(status: number, code: string): CodeMeaning {
  // Of a part that nobody is named for, nobody knows who is in it.
  if (code === ACCEPTED_IN_PART) return 'unreachable';
  const rule = rules.find(([, { status: statuses, code: codes }]) => statuses?.test(`${status}`) || codes?.test(code));
  return rule?.[0] ?? 'unreachable';
}

const listOf = (value: unknown): ReadonlySet<unknown> => new Set<unknown>(Array.isArray(value) ? value : []);
