import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/** Huawei's codes with the HTTP status and the usual text of each. */
const errorTable = {
  '80000000': [200, 'Success'],
  '80100000': [200, ''], // the text is JSON: see `partialResponse`
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

export type Code = keyof typeof errorTable;

const REQUEST_ID_DIGITS = 24;

/**
 * Returns a response. `code` is a string, although some SDKs expect a number. `detail` explains an error to the user of
 * the simulator.
 */
export function responseOf(code: Code, requestId: string, detail?: string): HttpResponse {
  const [status, text] = errorTable[code];
  const msg = detail === undefined ? text : `${text}: ${detail}`;
  return jsonResponse(status, { code, msg, requestId });
}

/** Returns a response in which some tokens are invalid. `msg` is a JSON object that is encoded as a string. */
export function partialResponse(success: number, illegalTokens: readonly string[], requestId: string): HttpResponse {
  const msg = JSON.stringify({ success, failure: illegalTokens.length, illegal_tokens: illegalTokens });
  return jsonResponse(200, { code: '80100000', msg, requestId });
}

export function rejection(code: Code, detail?: string): SimulatedResponse {
  const response = responseOf(code, newRequestId(Date.now()), detail);
  return { kind: 'answer', label: `${response.status} ${code}`, response };
}

/** Returns a response from a server in front of the service. The response contains no Huawei code. */
export function plainResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): SimulatedResponse {
  const response = { status, headers: { 'content-type': 'text/plain', ...headers }, body: text };
  return { kind: 'answer', label: String(status), response };
}

/** Returns a request id of 24 digits: the time followed by random digits. */
export function newRequestId(nowMs: number): string {
  const digits = String(nowMs);
  const randomDigits = REQUEST_ID_DIGITS - digits.length;
  return digits + Array.from({ length: randomDigits }, () => Math.floor(Math.random() * 10)).join('');
}
