import { type Answer, type Ending, jsonAnswer } from '../kit/https.ts';

/** Huawei's codes with the status each travels with (vendor sheet §5) and its usual words. */
const answers = {
  '80000000': [200, 'Success'],
  '80100000': [200, ''], // its words are a list: see `partial`
  '80100001': [400, 'Illegal parameters'],
  '80100003': [400, 'Illegal payload structure'],
  '80100013': [400, 'Invalid collapse_key'],
  '80200001': [401, 'Oauth authentication error'],
  '80200003': [401, 'Oauth token expired'],
  '80200005': [401, 'JWT expired'],
  '80300002': [400, 'The current app does not have the permission to push messages'],
  '80300007': [400, 'All tokens are invalid'],
  '80300008': [400, 'The message body size exceeds the default value'],
  '80300010': [400, 'The number of tokens in the message body exceeds the default value'],
  '80300011': [400, 'No permission to send high-level notification messages'],
  '80300036': [400, 'The validity period of the JWT exceeds one day'],
} as const satisfies Record<string, readonly [number, string]>;

export type Code = keyof typeof answers;

const REQUEST_ID_DIGITS = 24;

/** `code` is a string, whatever SDKs may think. `why` is what a person at a simulator wants to know. */
export function answerOf(code: Code, requestId: string, why?: string): Answer {
  const [status, words] = answers[code];
  const msg = why === undefined ? words : `${words}: ${why}`;
  return jsonAnswer(status, { code, msg, requestId });
}

/** Part of the tokens were bad. `msg` is JSON within JSON. */
export function partialAnswer(success: number, illegalTokens: readonly string[], requestId: string): Answer {
  const msg = JSON.stringify({ success, failure: illegalTokens.length, illegal_tokens: illegalTokens });
  return jsonAnswer(200, { code: '80100000', msg, requestId });
}

export function refusal(code: Code, why?: string): Ending {
  const answer = answerOf(code, newRequestId(Date.now()), why);
  return { kind: 'answer', label: `${answer.status} ${code}`, answer };
}

/** An answer from in front of the service, which has no code. */
export function bareAnswer(status: number, words: string, headers: Readonly<Record<string, string>> = {}): Ending {
  const answer = { status, headers: { 'content-type': 'text/plain', ...headers }, body: words };
  return { kind: 'answer', label: String(status), answer };
}

/** 24 digits: the time, and then chance. */
export function newRequestId(nowMs: number): string {
  const digits = String(nowMs);
  const left = REQUEST_ID_DIGITS - digits.length;
  return digits + Array.from({ length: left }, () => Math.floor(Math.random() * 10)).join('');
}
