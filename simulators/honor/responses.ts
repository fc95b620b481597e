import { randomUUID } from 'node:crypto';
import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/**
 * Error codes with their expected HTTP status. Honor's own table is not public. These are Huawei's codes, because
 * Honor's service was derived from Huawei's. Corrections only need to change this table.
 */
const errorTable = {
  80100001: [400, 'illegal parameter'],
  80100003: [400, 'illegal message structure'],
  80200001: [401, 'authentication failed'],
  80200003: [401, 'access token expired'],
  80300008: [400, 'message too large'],
  80300010: [400, 'too many or no tokens'],
} as const satisfies Record<number, readonly [number, string]>;

export type Code = keyof typeof errorTable;

export type Results = {
  readonly requestId: string;
  readonly failTokens: readonly string[];
  readonly expireTokens: readonly string[];
  readonly sendResult: boolean;
};

/** Returns an error response. `code` is a number, and errors have no data. */
export function errorResponse(code: Code, detail?: string): HttpResponse {
  const [status, text] = errorTable[code];
  return jsonResponse(status, { code, message: detail === undefined ? text : `${text}: ${detail}`, data: null });
}

/**
 * Returns a response with code 200, even if some tokens failed. The response lists the failed tokens in `expireTokens`
 * and `failTokens`.
 */
export function resultResponse(results: Results): HttpResponse {
  return jsonResponse(200, { code: 200, message: 'success', data: results });
}

export function rejection(code: Code, detail?: string): SimulatedResponse {
  const response = errorResponse(code, detail);
  return { kind: 'answer', label: `${response.status} ${code}`, response };
}

/** Returns a response from a server in front of the service. Its code is its HTTP status. */
export function plainResponse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): SimulatedResponse {
  const response = jsonResponse(status, { code: status, message, data: null }, headers);
  return { kind: 'answer', label: String(status), response };
}

export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}
