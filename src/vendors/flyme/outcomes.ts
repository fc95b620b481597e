import { answeredAt, nextBeijingMidnight } from '../translate/beijing-midnight.ts';
import { unprovenAreDoubtful } from '../translate/mark-suspect-tokens.ts';
import { codeOf, isObject, messageIdOf, readJsonObject } from '../translate/response-values.ts';
import { retryAfterSeconds } from '../translate/retry-after.ts';
import type { VendorOutcome, VendorReply } from '../vendor.ts';

/** Meizu counts requests by the second, and never says how long to wait. */
const THROTTLE_SECONDS = 5;
/** One phone gets five messages of an app in a minute. */
const FOLDED_SECONDS = 60;

/** `spent`: until the next day. `slow`, `sated`: this phone alone has to wait, a while or until the next day. */
type Meaning = 'token-dead' | 'refused' | 'locked-out' | 'throttled' | 'unreachable' | 'spent' | 'slow' | 'sated';

/** Codes of a whole request; see Meizu's PushAPI and its SDK (read 2026-11). */
const meanings: Readonly<Record<string, Meaning>> = {
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
  '110019': 'spent', // messages of the day
  '110031': 'locked-out', // the package
  '110032': 'refused', // the task
  '110033': 'locked-out', // AppSecret
  '110051': 'spent', // messages altogether
  '110053': 'refused', // commands are not passed through any more
};

/** Codes of one phone. The same number may mean something else there. */
const states: Readonly<Record<string, Meaning>> = {
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
  '110011': 'sated', // public messages of the day for this phone
};

const ACCEPTED = '200';
/** Rather a token of another app than a dead one. */
const ILLEGAL = '110003';

/** One per token, in order: a 200 lists in `value`, by code, those that were not accepted. */
export function flymeOutcomes(reply: VendorReply, tokens: readonly string[]): readonly VendorOutcome[] {
  const answer = readJsonObject(reply.body) ?? {};
  const code = codeOf(answer.code);
  if (code !== ACCEPTED) {
    const outcome = outcomeFor(reply, meaningOf(reply.status, code), code || `HTTP ${reply.status}`);
    // All tokens at once are rather those of another app than dead.
    return tokens.map(() => (outcome.kind === 'token-dead' ? { ...outcome, doubtful: true } : outcome));
  }
  const failed = failedTokens(answer.value);
  const accepted = { kind: 'accepted', channelMessageId: messageIdOf(answer.msgId) } as const;
  return unprovenAreDoubtful(
    tokens.map((token) => {
      const state = failed.get(token);
      if (state === undefined) return accepted;
      return outcomeFor(reply, (Object.hasOwn(states, state) && states[state]) || 'unreachable', state);
    }),
  );
}

function outcomeFor(reply: VendorReply, kind: Meaning, reason: string): VendorOutcome {
  switch (kind) {
    case 'throttled':
      return { kind, retryAfterSeconds: retryAfterSeconds(reply.headers, THROTTLE_SECONDS), account: true };
    case 'slow':
      return { kind: 'throttled', retryAfterSeconds: FOLDED_SECONDS };
    case 'spent':
      return { kind: 'quota-spent', until: nextBeijingMidnight(answeredAt(reply, new Date())) };
    case 'sated':
      return { kind: 'quota-spent', until: nextBeijingMidnight(answeredAt(reply, new Date())), device: true };
    case 'token-dead':
      return reason === ILLEGAL ? { kind, reason, doubtful: true } : { kind, reason };
    default:
      return { kind, reason };
  }
}

/** A code says more than the status, which is always 200 with one. */
function meaningOf(status: number, code: string): Meaning {
  const known = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (known) return known;
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
