import { randomBytes } from 'node:crypto';
import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/** OPPO's codes and texts. All of them have HTTP status 200. */
const messages = {
  0: 'Success',
  [-1]: 'Service Currently Unavailable',
  [-2]: 'Service in Flow Control',
  11: 'Invalid AuthToken',
  12: 'Http Action Not Allowed',
  13: 'App Call Limited',
  14: 'Invalid App Key',
  15: 'Missing App Key',
  16: 'Invalid Signature',
  17: 'Missing Signature',
  18: 'Missing Timestamp',
  19: 'Invalid Timestamp',
  22: 'Invalid Method',
  25: 'Invalid Encoding',
  28: 'App Disabled',
  29: 'Missing Auth Token',
  32: 'Data Duplicated',
  33: 'The number of messages exceeds the daily limit',
  40: 'Missing Required Arguments',
  41: 'Invalid Arguments',
  55: 'App Frequency Limited',
  67: 'Category or notify_level is not allowed',
  10000: 'Invalid registration_id',
} as const satisfies Record<number, string>;

export type Code = keyof typeof messages;

/** An error code, with details for the user of the simulator. */
export type Rejection = readonly [Code, string];

export type Item = {
  readonly registrationId: string;
  readonly messageId?: string;
  readonly errorCode?: Code;
  readonly errorMessage?: string;
};

export function errorResponse(
  code: Code,
  detail?: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return jsonResponse(
    200,
    { code, message: detail === undefined ? messages[code] : `${messages[code]}: ${detail}` },
    headers,
  );
}

export function rejection(code: Code, detail?: string): SimulatedResponse {
  return { kind: 'answer', label: `200 ${code}`, response: errorResponse(code, detail) };
}

export function success(data: unknown): SimulatedResponse & { kind: 'answer' } {
  return { kind: 'answer', label: '200 0', response: jsonResponse(200, { code: 0, message: messages[0], data }) };
}

export function failedItem(registrationId: string, [errorCode, detail]: Rejection): Item {
  return { registrationId, errorCode, errorMessage: `${messages[errorCode]}: ${detail}` };
}

export function newMessageId(appId: string): string {
  return `${appId}-1-1-${randomBytes(12).toString('hex')}`;
}
