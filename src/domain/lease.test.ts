import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCovered } from './lease.ts';

test('what takes longer than the lease lasts is not begun', () => {
  const lease = { heldSinceMs: 1_000, leaseMs: 30_000 };
  assert.ok(isCovered(lease, 1_000, 10_000));
  assert.ok(isCovered(lease, 21_000, 10_000));
  assert.ok(!isCovered(lease, 21_001, 10_000));
  assert.ok(!isCovered(lease, 90_000, 0));
});
