import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VendorOutcome } from '../vendor.ts';
import { apnsOutcome } from './outcomes.ts';

/** Apple's documented reasons, with their HTTP status. */
const reasons: readonly (readonly [number, VendorOutcome['kind'], string, object?])[] = [
  [400, 'token-dead', 'BadDeviceToken DeviceTokenNotForTopic', { suspect: true }],
  [400, 'refused', 'BadCollapseId BadExpirationDate BadMessageId BadPriority BadTopic DuplicateHeaders'],
  [400, 'refused', 'InvalidPushType MissingDeviceToken MissingTopic PayloadEmpty'],
  [400, 'locked-out', 'TopicDisallowed'],
  [400, 'unreachable', 'IdleTimeout'],
  [403, 'locked-out', 'BadCertificate BadCertificateEnvironment InvalidProviderToken MissingProviderToken'],
  [403, 'locked-out', 'UnrelatedKeyIdInToken BadEnvironmentKeyIdInToken BadEnvironmentKeyInToken Forbidden'],
  [403, 'stale-token', 'ExpiredProviderToken'],
  [404, 'refused', 'BadPath'],
  [405, 'refused', 'MethodNotAllowed'],
  [410, 'token-dead', 'Unregistered ExpiredToken', { since: new Date(1_700_000_000_000) }],
  [413, 'refused', 'PayloadTooLarge'],
  [429, 'throttled', 'TooManyRequests', { retryAfterSeconds: 60 }],
  [429, 'throttled', 'TooManyProviderTokenUpdates', { retryAfterSeconds: 60, account: true }],
  [500, 'unreachable', 'InternalServerError'],
  [503, 'unreachable', 'ServiceUnavailable Shutdown'],
];

const outcomeOf = (status: number, body: string, headers = {}) => apnsOutcome({ status, headers, body });

test('200 means accepted, with the ID that Apple returns', () => {
  const id = 'a8b5e1f0-0000-4000-8000-00000000000a';
  assert.deepEqual(outcomeOf(200, '', { 'apns-id': id }), { kind: 'accepted', channelMessageId: id });
  assert.deepEqual(outcomeOf(200, ''), { kind: 'accepted', channelMessageId: '' });
});

describe('outcome of each APNs reason', () => {
  for (const [status, kind, names, more] of reasons) {
    for (const reason of names.split(' ')) {
      test(`${status} ${reason}: ${kind}`, () => {
        const outcome = outcomeOf(status, JSON.stringify({ reason, timestamp: 1_700_000_000_000 }));
        assert.deepEqual(outcome, { kind, ...(kind !== 'throttled' && { reason }), ...more });
      });
    }
  }
});

describe('outcome of an unknown reason, by HTTP status', () => {
  const families: readonly (readonly [number, VendorOutcome['kind']])[] = [
    [400, 'refused'],
    [403, 'locked-out'],
    [404, 'refused'],
    [410, 'token-dead'],
    [413, 'refused'],
    [429, 'throttled'],
    [500, 'unreachable'],
    [502, 'unreachable'],
    [503, 'unreachable'],
  ];
  for (const [status, kind] of families)
    test(`${status}: ${kind}`, () => assert.equal(outcomeOf(status, '{"reason":"SomethingNew"}').kind, kind));
});

describe('outcome of a response that is not from Apple, by HTTP status', () => {
  for (const body of [
    '',
    'Bad gateway',
    '{',
    '[]',
    'null',
    '"BadDeviceToken"',
    '{}',
    '{"reason":7}',
    '{"reason":null}',
  ])
    test(`503 ${body || '(nothing)'}: unreachable`, () =>
      assert.deepEqual(outcomeOf(503, body), { kind: 'unreachable', reason: 'no reason' }));
});
