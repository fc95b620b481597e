import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { fcmOutcome } from './outcomes.ts';

const TYPES = {
  FcmError: 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
  BadRequest: 'type.googleapis.com/google.rpc.BadRequest',
  ErrorInfo: 'type.googleapis.com/google.rpc.ErrorInfo',
  QuotaFailure: 'type.googleapis.com/google.rpc.QuotaFailure',
};
const fcmError = (errorCode: string) => ({ '@type': TYPES.FcmError, errorCode });
const violation = (field: string) => ({
  '@type': TYPES.BadRequest,
  fieldViolations: [{ field, description: 'Invalid value' }],
});
const quota = (subject: string) => ({ '@type': TYPES.QuotaFailure, violations: [{ subject }] });

/** Returns an error body in Google's format. */
const errorOf = (code: number, status: string, message = '', ...details: object[]) =>
  JSON.stringify({ error: { code, message, status, details } });

const outcomeOf = (status: number, body: string, headers = {}) => fcmOutcome({ status, headers, body });

test('200 means accepted, with the last part of the message name as its ID', () => {
  assert.deepEqual(outcomeOf(200, '{\n  "name": "projects/bells-1/messages/0:1500415314455276%31bd1c9631bd1c96"\n}'), {
    kind: 'accepted',
    channelMessageId: '0:1500415314455276%31bd1c9631bd1c96',
  });
});

describe('unreachable outcome of a 200 response without a message name', () => {
  for (const body of [
    '',
    '{}',
    '<html>Welcome</html>',
    '{"name":7}',
    '{"name":"x"}',
    '{"name":"projects/p/messages/"}',
  ])
    test(body || '(nothing)', () =>
      assert.deepEqual(outcomeOf(200, body), { kind: 'unreachable', reason: 'no message id' }),
    );
});

const GENERIC = 'Request contains an invalid argument.';
const NO_TOKEN = 'The registration token is not a valid FCM registration token';

const cases: readonly (readonly [string, number, string, VendorOutcome])[] = [
  [
    'an uninstalled app',
    404,
    errorOf(404, 'NOT_FOUND', 'Requested entity was not found.', fcmError('UNREGISTERED')),
    { kind: 'token-dead', reason: 'UNREGISTERED' },
  ],
  [
    'a wrong project in the path, which does not mean a dead token',
    404,
    errorOf(404, 'NOT_FOUND', 'Requested entity was not found.'),
    { kind: 'locked-out', reason: 'NOT_FOUND' },
  ],
  [
    'a token of another project',
    403,
    errorOf(403, 'PERMISSION_DENIED', 'SenderId mismatch', fcmError('SENDER_ID_MISMATCH')),
    { kind: 'token-dead', reason: 'SENDER_ID_MISMATCH', suspect: true },
  ],
  [
    'a string that is not a token',
    400,
    errorOf(400, 'INVALID_ARGUMENT', NO_TOKEN, fcmError('INVALID_ARGUMENT')),
    { kind: 'token-dead', reason: 'INVALID_ARGUMENT', suspect: true },
  ],
  [
    'a string that is not a token, without FCM’s error code',
    400,
    errorOf(400, 'INVALID_ARGUMENT', NO_TOKEN),
    { kind: 'token-dead', reason: 'INVALID_ARGUMENT', suspect: true },
  ],
  [
    'a field violation for the token',
    400,
    errorOf(400, 'INVALID_ARGUMENT', GENERIC, violation('message.token')),
    { kind: 'token-dead', reason: 'INVALID_ARGUMENT message.token', suspect: true },
  ],
  [
    'a field violation for the installation ID',
    400,
    errorOf(400, 'INVALID_ARGUMENT', GENERIC, fcmError('INVALID_ARGUMENT'), violation('message.fid')),
    { kind: 'token-dead', reason: 'INVALID_ARGUMENT message.fid', suspect: true },
  ],
  [
    'FCM’s error code with a generic message',
    400,
    errorOf(400, 'INVALID_ARGUMENT', GENERIC, fcmError('INVALID_ARGUMENT')),
    { kind: 'token-dead', reason: 'INVALID_ARGUMENT', suspect: true },
  ],
  [
    'a generic message without FCM’s error code',
    400,
    errorOf(400, 'INVALID_ARGUMENT', GENERIC),
    { kind: 'refused', reason: 'INVALID_ARGUMENT' },
  ],
  [
    'an oversized message, which has FCM’s error code as well',
    400,
    errorOf(400, 'INVALID_ARGUMENT', 'Android message is too big', fcmError('INVALID_ARGUMENT')),
    { kind: 'refused', reason: 'INVALID_ARGUMENT' },
  ],
  [
    'a field violation in another field',
    400,
    errorOf(400, 'INVALID_ARGUMENT', GENERIC, fcmError('INVALID_ARGUMENT'), violation('message.data[0].value')),
    { kind: 'refused', reason: 'INVALID_ARGUMENT message.data[0].value' },
  ],
  [
    'a data key that Google reserves',
    400,
    errorOf(400, 'INVALID_ARGUMENT', 'Invalid data payload key: from', fcmError('INVALID_ARGUMENT')),
    { kind: 'refused', reason: 'INVALID_ARGUMENT' },
  ],
  [
    'an expired access token',
    401,
    errorOf(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
    { kind: 'stale-token', reason: 'UNAUTHENTICATED' },
  ],
  [
    'missing credentials for another push service',
    401,
    errorOf(401, 'UNAUTHENTICATED', 'Auth error', fcmError('THIRD_PARTY_AUTH_ERROR')),
    { kind: 'refused', reason: 'THIRD_PARTY_AUTH_ERROR' },
  ],
  [
    'the same error with its older code',
    401,
    errorOf(401, 'UNAUTHENTICATED', 'Auth error', fcmError('APNS_AUTH_ERROR')),
    { kind: 'refused', reason: 'APNS_AUTH_ERROR' },
  ],
  [
    'a disabled API',
    403,
    errorOf(403, 'PERMISSION_DENIED', 'Disabled', { '@type': TYPES.ErrorInfo, reason: 'SERVICE_DISABLED' }),
    { kind: 'locked-out', reason: 'PERMISSION_DENIED SERVICE_DISABLED' },
  ],
  [
    'a project that exceeds its rate limit',
    429,
    errorOf(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', fcmError('QUOTA_EXCEEDED'), quota('project:bells-1')),
    { kind: 'throttled', retryAfterSeconds: 60, account: true },
  ],
  [
    'a device that exceeds its rate limit',
    429,
    errorOf(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', fcmError('QUOTA_EXCEEDED'), quota('device message rate')),
    { kind: 'throttled', retryAfterSeconds: 60 },
  ],
  [
    'a throttle without FCM’s error code',
    429,
    errorOf(429, 'RESOURCE_EXHAUSTED'),
    { kind: 'throttled', retryAfterSeconds: 60, account: true },
  ],
  [
    'an internal error at Google',
    500,
    errorOf(500, 'INTERNAL', 'Internal error', fcmError('INTERNAL')),
    { kind: 'unreachable', reason: 'INTERNAL' },
  ],
  [
    'an outage',
    503,
    errorOf(503, 'UNAVAILABLE', 'Try later', fcmError('UNAVAILABLE')),
    { kind: 'unreachable', reason: 'UNAVAILABLE' },
  ],
  [
    'an unspecified error',
    500,
    errorOf(500, 'UNKNOWN', '', fcmError('UNSPECIFIED_ERROR')),
    { kind: 'unreachable', reason: 'UNSPECIFIED_ERROR' },
  ],
  [
    'an unknown FCM code, classified by the general Google status',
    403,
    errorOf(403, 'PERMISSION_DENIED', '', fcmError('SOMETHING_NEW')),
    { kind: 'locked-out', reason: 'SOMETHING_NEW' },
  ],
];

describe('outcome of each FCM response', () => {
  for (const [what, status, body, outcome] of cases)
    test(`${what}: ${outcome.kind}`, () => assert.deepEqual(outcomeOf(status, body), outcome));
});

describe('retry delay', () => {
  const busy = errorOf(429, 'RESOURCE_EXHAUSTED', '', fcmError('QUOTA_EXCEEDED'));
  const down = errorOf(503, 'UNAVAILABLE', '', fcmError('UNAVAILABLE'));

  test('is the time that Google specifies', () => {
    for (const [status, body] of [
      [429, busy],
      [503, down],
      [503, '<html>'],
    ] as const)
      assert.deepEqual(outcomeOf(status, body, { 'retry-after': '7' }), {
        kind: 'throttled',
        retryAfterSeconds: 7,
        account: true,
      });
  });

  test('can be specified as a date', () => {
    const headers = { date: 'Sun, 15 Nov 2026 12:00:00 GMT', 'retry-after': 'Sun, 15 Nov 2026 12:00:30 GMT' };
    assert.deepEqual(outcomeOf(429, busy, headers), { kind: 'throttled', retryAfterSeconds: 30, account: true });
  });
});

describe('outcome of a response that is not from Google, by HTTP status', () => {
  const families: readonly (readonly [number, VendorOutcome])[] = [
    [302, { kind: 'unreachable', reason: 'HTTP 302' }],
    [400, { kind: 'refused', reason: 'HTTP 400' }],
    [401, { kind: 'stale-token', reason: 'HTTP 401' }],
    [403, { kind: 'locked-out', reason: 'HTTP 403' }],
    [404, { kind: 'locked-out', reason: 'HTTP 404' }],
    [413, { kind: 'refused', reason: 'HTTP 413' }],
    [429, { kind: 'throttled', retryAfterSeconds: 60, account: true }],
    [500, { kind: 'unreachable', reason: 'HTTP 500' }],
    [502, { kind: 'unreachable', reason: 'HTTP 502' }],
    [503, { kind: 'unreachable', reason: 'HTTP 503' }],
    [504, { kind: 'unreachable', reason: 'HTTP 504' }],
  ];
  const bodies = [
    '',
    '<html>Error</html>',
    '{',
    '[]',
    'null',
    '"UNREGISTERED"',
    '{"error":7}',
    '{"error":{"details":7}}',
  ];
  for (const [status, outcome] of families)
    test(`${status}: ${outcome.kind}`, () => {
      for (const body of bodies) assert.deepEqual(outcomeOf(status, body), outcome, body);
    });

  test('with invalid error details', () => {
    const details = [null, 7, 'FcmError', { '@type': 7, errorCode: 'UNREGISTERED' }, { '@type': TYPES.FcmError }];
    const body = JSON.stringify({ error: { status: ['NOT_FOUND'], message: {}, details } });
    assert.deepEqual(outcomeOf(503, body), { kind: 'unreachable', reason: 'HTTP 503' });
    assert.deepEqual(outcomeOf(400, errorOf(400, 'constructor', '', fcmError('toString'))), {
      kind: 'refused',
      reason: 'toString',
    });
  });
});
