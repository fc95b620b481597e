import { markSuspectTokens } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { CodeMeaning, VendorOutcome, VendorResponse } from '../vendor.ts';

/** Delay if a throttled response has no Retry-After. Honor documents no delay. */
const THROTTLE_SECONDS = 5;

/** Four SDKs treat 200 as success, one treats 80000000 as success, and two accept both. */
const ACCEPTED = ['200', '80000000'];
/** Huawei's code for partial success. The response lists the failed tokens in `expireTokens` and `failTokens`. */
const ACCEPTED_IN_PART = '80100000';

/**
 * Meanings of unsuccessful responses. The first rule that matches the HTTP status or the code applies. Honor's own list
 * of codes was not available. Codes that start with 80 or 81 are Huawei's, because Honor's service is derived from
 * Huawei's.
 */
const rules: readonly (readonly [CodeMeaning, { readonly status?: RegExp; readonly code?: RegExp }])[] = [
  ['stale-token', { status: /^401$/, code: /^(401|802\d{5})$/ }],
  ['locked-out', { status: /^403$/, code: /^(403|80300002)$/ }],
  ['locked-out', { status: /^404$/ }], // a wrong App ID results in a wrong path
  ['throttled', { status: /^(429|503)$/, code: /^(429|503)$/ }],
  ['unreachable', { status: /^5/, code: /^(5\d\d|806\d{5}|810\d{5})$/ }],
  ['token-dead', { code: /^80300007$/ }], // all tokens are invalid
  ['refused', { status: /^400$/, code: /^(400|801\d{5}|80300008|80300010)$/ }],
];

/**
 * Returns one outcome per token, in order. In a successful response, every token that is not listed as failed or
 * expired is accepted.
 */
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
      if (failed.has(token)) return { kind: 'unreachable', reason: `failTokens, ${code}`, device: true };
      return defaultOutcome;
    }),
  );
}

function outcomeFor(response: VendorResponse, code: string): VendorOutcome {
  const reason = code === '' ? `HTTP ${response.status}` : code;
  const kind = meaningOf(response.status, code);
  if (kind === 'throttled')
    return { kind, retryAfterSeconds: retryAfterSeconds(response.headers, THROTTLE_SECONDS), account: true };
  // If all tokens are rejected, they probably belong to another app.
  return kind === 'token-dead' ? { kind, reason, suspect: true } : { kind, reason };
}

/** Returns the meaning of a response. Without a matching rule the result is unclear, and no token is invalidated. */
function meaningOf(status: number, code: string): CodeMeaning {
  // A partial success without lists does not show which tokens failed.
  if (code === ACCEPTED_IN_PART) return 'unreachable';
  const rule = rules.find(([, { status: statuses, code: codes }]) => statuses?.test(`${status}`) || codes?.test(code));
  return rule?.[0] ?? 'unreachable';
}

const listOf = (value: unknown): ReadonlySet<unknown> => new Set<unknown>(Array.isArray(value) ? value : []);
