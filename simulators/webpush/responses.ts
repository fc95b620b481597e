import { randomBytes } from 'node:crypto';
import { type HttpResponse, jsonResponse, type SimulatedResponse } from '../kit/https.ts';
import type { PushService } from './subscriptions.ts';

/** Errors of a push service. `other-key`: the subscription was created with another VAPID key. */
export type Rejection = 'malformed' | 'bad-token' | 'other-key' | 'dead' | 'too-large' | 'busy' | 'down';

type ErrorBody = { readonly status: number; readonly text?: string; readonly json?: object };

const google: Readonly<Record<Rejection, ErrorBody>> = {
  malformed: { status: 400, text: '<html><title>Error 400 (Bad Request)</title></html>' },
  'bad-token': { status: 403, text: 'invalid JWT provided\n' },
  'other-key': {
    status: 403,
    text: 'the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.\n',
  },
  dead: { status: 410, text: 'push subscription has unsubscribed or expired.\n' },
  'too-large': { status: 413, text: 'Payload Too Large' },
  busy: { status: 429, text: 'Too Many Requests' },
  down: { status: 500, text: 'Internal Server Error' },
};

const mozillaError = (status: number, errno: number, error: string): ErrorBody => ({
  status,
  json: { code: status, errno, error, message: error, more_info: 'http://autopush.readthedocs.io/en/latest/http.html' },
});

const mozilla: Readonly<Record<Rejection, ErrorBody>> = {
  malformed: mozillaError(400, 110, 'Bad Request'),
  'bad-token': mozillaError(401, 109, 'Unauthorized'),
  'other-key': mozillaError(401, 109, 'Unauthorized'),
  dead: mozillaError(410, 106, 'Gone'),
  'too-large': mozillaError(413, 104, 'Payload Too Large'),
  busy: mozillaError(429, 202, 'Too Many Requests'),
  down: mozillaError(503, 201, 'Service Unavailable'),
};

const appleError = (status: number, reason: string): ErrorBody => ({ status, json: { reason } });

const apple: Readonly<Record<Rejection, ErrorBody>> = {
  malformed: appleError(400, 'BadWebPushRequest'),
  'bad-token': appleError(403, 'BadJwtToken'),
  'other-key': appleError(400, 'VapidPkHashMismatch'),
  dead: appleError(410, 'Unregistered'),
  'too-large': appleError(413, 'PayloadTooLarge'),
  busy: appleError(429, 'TooManyRequests'),
  down: appleError(500, 'InternalServerError'),
};

const plain: Readonly<Record<Rejection, ErrorBody>> = {
  malformed: { status: 400, text: '' },
  'bad-token': { status: 401, text: '' },
  'other-key': { status: 403, text: '' },
  dead: { status: 404, text: '' },
  'too-large': { status: 413, text: '' },
  busy: { status: 429, text: '' },
  down: { status: 503, text: '' },
};

const errors: Readonly<Record<PushService, Readonly<Record<Rejection, ErrorBody>>>> = {
  google,
  mozilla,
  apple,
  windows: { ...plain, dead: { status: 410, text: '' } },
  unifiedpush: plain,
};

export function errorResponse(
  service: PushService,
  rejection: Rejection,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const { status, text, json } = errors[service][rejection];
  if (json) return jsonResponse(status, json, headers);
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body: text ?? '' };
}

/** `hint` names the failed check for the user of the simulator. Real push services do not return it. */
export function rejectionOf(service: PushService, rejection: Rejection, hint?: string): SimulatedResponse {
  const headers = {
    ...(hint !== undefined && { 'x-simulator-hint': hint }),
    ...(rejection === 'busy' && { 'retry-after': '7' }),
  };
  const response = errorResponse(service, rejection, headers);
  return { kind: 'answer', label: `${response.status} ${rejection}`, response };
}

/** Returns the response for an accepted message. `Location` is the URL of the message. The body can be cut by a fault. */
export const acceptedResponse = (host: string, ttl: string): HttpResponse => ({
  status: 201,
  headers: { location: `https://${host}/m/${randomBytes(12).toString('base64url')}`, ttl },
  body: 'Created',
});
