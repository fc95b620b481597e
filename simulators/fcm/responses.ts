import { jsonResponse, type SimulatedResponse } from '../kit/https.ts';

/** Error codes shared by all Google APIs, with the HTTP status of each (`google.rpc.Code`). */
const statusOfCode = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

export type Code = keyof typeof statusOfCode;

/** FCM's own codes and Google's code for each. */
const codeOfFcmCode = {
  INVALID_ARGUMENT: 'INVALID_ARGUMENT',
  SENDER_ID_MISMATCH: 'PERMISSION_DENIED',
  UNREGISTERED: 'NOT_FOUND',
  QUOTA_EXCEEDED: 'RESOURCE_EXHAUSTED',
  UNAVAILABLE: 'UNAVAILABLE',
} as const satisfies Record<string, Code>;

export type FcmCode = keyof typeof codeOfFcmCode;

/** The reason for rejecting a send request, as in the error object. */
export type Rejection = {
  readonly kind: 'refused';
  readonly code: Code;
  readonly text: string;
  readonly fcmCode?: FcmCode;
  /** The invalid field. */
  readonly field?: string;
  /** Google's machine-readable reason, for rejections without an FCM code. */
  readonly reason?: string;
  readonly retryAfterSeconds?: number | undefined;
  /** The project or device whose quota is exceeded. */
  readonly quotaSubject?: string;
};

type Extras = Omit<Rejection, 'kind' | 'code' | 'fcmCode' | 'text'>;

export function reject(code: Code, text: string, extras: Extras = {}): Rejection {
  return { kind: 'refused', code, text, ...extras };
}

export function rejectWithFcmCode(fcmCode: FcmCode, text: string, extras: Extras = {}): Rejection {
  return { kind: 'refused', code: codeOfFcmCode[fcmCode], fcmCode, text, ...extras };
}

export type SentResponse = Extract<SimulatedResponse, { kind: 'answer' }>;

export function rejectionResponse({
  code,
  text,
  fcmCode,
  field,
  reason,
  retryAfterSeconds,
  quotaSubject,
}: Rejection): SentResponse {
  const status = statusOfCode[code];
  const type = (name: string) => `type.googleapis.com/${name}`;
  const details = [
    ...(fcmCode === undefined ? [] : [{ '@type': type('google.firebase.fcm.v1.FcmError'), errorCode: fcmCode }]),
    ...(field === undefined
      ? []
      : [{ '@type': type('google.rpc.BadRequest'), fieldViolations: [{ field, description: text }] }]),
    ...(reason === undefined
      ? []
      : [{ '@type': type('google.rpc.ErrorInfo'), reason, domain: 'googleapis.com', metadata: { service: SERVICE } }]),
    ...(quotaSubject === undefined
      ? []
      : [{ '@type': type('google.rpc.QuotaFailure'), violations: [{ subject: quotaSubject, description: text }] }]),
  ];
  const error = { code: status, message: text, status: code, ...(details.length > 0 && { details }) };
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { kind: 'answer', label: `${status} ${fcmCode ?? code}`, response: jsonResponse(status, { error }, headers) };
}

const SERVICE = 'fcm.googleapis.com';

export function acceptedResponse(name: string): SentResponse {
  return { kind: 'answer', label: '200', response: jsonResponse(200, { name }) };
}

/** Google returns an HTML page for a path that is not part of an API. */
export const pageNotFound: SentResponse = {
  kind: 'answer',
  label: '404 page',
  response: {
    status: 404,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: '<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> That’s an error.</html>',
  },
};
