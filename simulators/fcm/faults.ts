import type { Fault } from '../kit/faults.ts';
import type { Answer } from '../kit/https.ts';
import { commonFaults } from '../kit/service-faults.ts';
import { type Refused, refusalEnding, refused, refusedByFcm } from './responses.ts';
import { tokenRefused } from './token-endpoint.ts';

export const doors = ['send', 'token'] as const;
export type Door = (typeof doors)[number];

/** `expire` ends every access token that was given out; then the request is served. */
type Effect = 'stall' | 'reset' | 'truncate' | 'goaway' | 'expire' | ((fault: Fault<string>) => Answer);

const THROTTLE_SECONDS = 7; // unless the caller says

const answerOf = (refusal: Refused): Answer => refusalEnding(refusal).answer;

const table = {
  ...commonFaults,
  outage: {
    door: 'send',
    effect: ({ retryAfterSeconds }) =>
      answerOf(refusedByFcm('UNAVAILABLE', 'The service is currently unavailable.', { retryAfterSeconds })),
  },
  throttle: {
    door: 'send',
    effect: ({ retryAfterSeconds = THROTTLE_SECONDS }) =>
      answerOf(refusedByFcm('QUOTA_EXCEEDED', 'Quota exceeded for the project.', { retryAfterSeconds })),
  },
  'wrong-credentials': {
    door: 'send',
    effect: () => answerOf(refused('UNAUTHENTICATED', 'Request had invalid authentication credentials.')),
  },
  'expired-token': { door: 'send', effect: 'expire' },
  goaway: { door: 'send', effect: 'goaway' },
  'token-outage': {
    door: 'token',
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
    door: 'token',
    effect: () => tokenRefused('invalid_grant', 'Invalid grant: account not found').answer,
  },
} as const satisfies Record<string, { door: Door; effect: Effect }>;

export type FaultKind = keyof typeof table;
export const faultTable: Readonly<Record<FaultKind, { readonly door: Door; readonly effect: Effect }>> = table;
export const faultKinds = Object.keys(table) as FaultKind[];
