import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/** The codes of Push Kit with the HTTP status and the usual text of each. */
const errorTable = {
  '80000000': [200, 'Success'],
  '80100001': [400, 'Illegal parameters'],
  '80100003': [400, 'Illegal payload structure'],
  '80100004': [400, 'Illegal ttl'],
  '80200001': [401, 'Authentication error'],
  '80200005': [401, 'JWT expired'],
  '80300002': [400, 'The current project does not have the permission to push messages'],
  '80300007': [400, 'All the tokens are invalid'], // only for recalls
  '80300008': [400, 'The message body size exceeds the default value'],
  '80300010': [400, 'The number of tokens in the message body exceeds the default value'],
  '80300029': [400, 'The number of test messages exceeds the limit of the day'],
  '80300030': [400, 'The number of tokens in a test message exceeds 10'],
  '80300036': [400, 'The validity period of the JWT exceeds one day'],
} as const satisfies Record<string, readonly [number, string]>;

export type Code = keyof typeof errorTable;

export const RETRY_AFTER_SECONDS = 7;
const REQUEST_ID_DIGITS = 24;

/** Returns a response. `detail` explains an error to the user of the simulator. */
export function responseOf(code: Code, requestId: string, detail?: string): HttpResponse {
  const [status, text] = errorTable[code];
  const msg = detail === undefined ? text : `${text}: ${detail}`;
  return jsonResponse(status, { code, msg, requestId });
}

/**
 * Returns a response in which some or all tokens are rejected. `msg` is a JSON object that is encoded as a string. It
 * lists the tokens by reason, with a blank after each reason, as Push Kit sometimes does. `success` is missing if all
 * tokens are rejected.
 */
export function rejectedTokensResponse(
  accepted: number,
  tokensByReason: ReadonlyMap<string, readonly string[]>,
  requestId: string,
): HttpResponse {
  const failure = [...tokensByReason.values()].flat().length;
  const illegalTokens = Object.fromEntries([...tokensByReason].map(([reason, tokens]) => [`${reason} `, tokens]));
  if (accepted === 0)
    return jsonResponse(400, { code: '80300007', msg: JSON.stringify({ illegalTokens, failure }), requestId });
  const msg = JSON.stringify({ illegalTokens, success: accepted, failure });
  return jsonResponse(200, { code: '80100000', msg, requestId });
}

export function rejection(code: Code, detail?: string): SimulatedResponse {
  const response = responseOf(code, newRequestId(Date.now()), detail);
  return { kind: 'answer', label: `${response.status} ${code}`, response };
}

/** Returns a response from a server in front of the service. The response contains no code of Push Kit. */
export function plainResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): SimulatedResponse {
  const response = { status, headers: { 'content-type': 'text/plain', ...headers }, body: text };
  return { kind: 'answer', label: String(status), response };
}

export function flowControl(): SimulatedResponse {
  return plainResponse(503, 'Service Unavailable', { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

/** Returns a request id of 24 digits: the time followed by random digits. */
export function newRequestId(nowMs: number): string {
  const digits = String(nowMs);
  const randomDigits = REQUEST_ID_DIGITS - digits.length;
  return digits + Array.from({ length: randomDigits }, () => Math.floor(Math.random() * 10)).join('');
}
