import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseCovers } from './lease.ts';

test('a lease does not cover work that takes longer than the remaining lease time', () => {
  const lease = { acquiredAtMs: 1_000, leaseMs: 30_000 };
  assert.ok(leaseCovers(lease, 1_000, 10_000));
  assert.ok(leaseCovers(lease, 21_000, 10_000));
  assert.ok(!leaseCovers(lease, 21_001, 10_000));
  assert.ok(!leaseCovers(lease, 90_000, 0));
});
