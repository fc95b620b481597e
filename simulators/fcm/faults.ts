import type { Fault } from '../kit/faults.ts';
import type { HttpResponse } from '../kit/https.ts';
import { commonFaults } from '../kit/service-faults.ts';
import { type Rejection, reject, rejectionResponse, rejectWithFcmCode } from './responses.ts';
import { rejectToken } from './token-endpoint.ts';

export const endpoints = ['send', 'token'] as const;
export type Endpoint = (typeof endpoints)[number];

/** `expire` invalidates every access token issued so far; then the request is served. */
type Effect = 'stall' | 'reset' | 'truncate' | 'goaway' | 'expire' | ((fault: Fault<string>) => HttpResponse);

const THROTTLE_SECONDS = 7; // default of `retry_after_seconds`

const responseOf = (refusal: Rejection): HttpResponse => rejectionResponse(refusal).response;

const faultDefinitions = {
  ...commonFaults,
  outage: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds }) =>
      responseOf(rejectWithFcmCode('UNAVAILABLE', 'The service is currently unavailable.', { retryAfterSeconds })),
  },
  throttle: {
    endpoint: 'send',
    effect: ({ retryAfterSeconds = THROTTLE_SECONDS }) =>
      responseOf(rejectWithFcmCode('QUOTA_EXCEEDED', 'Quota exceeded for the project.', { retryAfterSeconds })),
  },
  'wrong-credentials': {
    endpoint: 'send',
    effect: () => responseOf(reject('UNAUTHENTICATED', 'Request had invalid authentication credentials.')),
  },
  'expired-token': { endpoint: 'send', effect: 'expire' },
  goaway: { endpoint: 'send', effect: 'goaway' },
  'token-outage': {
    endpoint: 'token',
    effect: ({ retryAfterSeconds }) => ({
      status: 503,
      headers: {
        'content-type': 'text/html; charset=UTF-8',
        ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      },
      body: '<!DOCTYPE html><html lang=en><title>Error 503 (Service Unavailable)!!1</title></html>',
    }),
  },
  'token-refused': {
    endpoint: 'token',
    effect: () => rejectToken('invalid_grant', 'Invalid grant: account not found').response,
  },
} as const satisfies Record<string, { endpoint: Endpoint; effect: Effect }>;

export type FaultKind = keyof typeof faultDefinitions;
export const faultTable: Readonly<Record<FaultKind, { readonly endpoint: Endpoint; readonly effect: Effect }>> =
  faultDefinitions;
export const faultKinds = Object.keys(faultDefinitions) as FaultKind[];
