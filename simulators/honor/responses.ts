import { randomUUID } from 'node:crypto';
import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/**
 * Honor's own table of codes is not public. These are Huawei's, which Honor's service grew out of, with the status that
 * such an error would have (vendor sheet §5). A correction is a change of this table.
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

/** `code` is a number. Errors have no data. */
export function errorResponse(code: Code, detail?: string): HttpResponse {
  const [status, text] = errorTable[code];
  return jsonResponse(status, { code, message: detail === undefined ? text : `${text}: ${detail}`, data: null });
}

/** Some tokens may have failed: the lists say which, and the code stays 200. */
export function resultResponse(results: Results): HttpResponse {
  return jsonResponse(200, { code: 200, message: 'success', data: results });
}

export function rejection(code: Code, detail?: string): SimulatedResponse {
  const response = errorResponse(code, detail);
  return { kind: 'answer', label: `${response.status} ${code}`, response };
}

/** An answer from in front of the service; its code is its status. */
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
