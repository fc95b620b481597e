import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import { isWriteDue, representativeOf } from './last-response.ts';

const accepted: Outcome = { kind: 'accepted', channelMessageId: 'secret-id' };
const dead: Outcome = { kind: 'token-dead', reason: 'BadDeviceToken' };

test('a round with some invalid tokens counts as accepted, and one with rejected credentials as rejected', () => {
  assert.deepEqual(representativeOf([dead, accepted, dead]), { kind: 'accepted', reason: '' });
  assert.deepEqual(representativeOf([dead]), { kind: 'token-dead', reason: 'BadDeviceToken' });
  assert.deepEqual(representativeOf([accepted, { kind: 'locked-out', reason: 'InvalidProviderToken' }]), {
    kind: 'locked-out',
    reason: 'InvalidProviderToken',
  });
  assert.equal(representativeOf([]), undefined);
});

test('a reason is shortened and has only characters that PostgreSQL stores', () => {
  const reason = representativeOf([{ kind: 'refused', reason: `a\0b${'😀'.repeat(500)}` }])?.reason ?? '';
  assert.ok(reason.length <= 256 && reason.startsWith('ab😀') && reason.isWellFormed(), reason);
});

test('a repeated response is written once a minute, and another kind after a second', () => {
  const written = { version: 1, kind: 'accepted', writtenAtMs: 0 } as const;
  const isDue = (kind: Outcome['kind'], nowMs: number, version = 1) => isWriteDue(written, { kind, version }, nowMs);
  assert.equal(isWriteDue(undefined, { kind: 'accepted', version: 1 }, 0), true);
  assert.deepEqual([isDue('accepted', 59_999), isDue('accepted', 60_000)], [false, true]);
  assert.deepEqual([isDue('refused', 999), isDue('refused', 1_000)], [false, true]);
  assert.equal(isDue('locked-out', 1), true, 'rejected credentials may have no later call');
  assert.equal(isDue('accepted', 1, 2), true, 'new credentials');
});
