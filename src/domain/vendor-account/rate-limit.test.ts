import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admitPlaces, costOf, rateLimitDelayMs, rateLimitOf } from './rate-limit.ts';

test('a rate limit counts either devices or requests, and several devices can share a request', () => {
  assert.equal(costOf(512, 'devices', 512), 512);
  assert.equal(costOf(512, 'requests', 512), 1);
  assert.equal(costOf(513, 'requests', 512), 2);
  assert.equal(costOf(1, 'requests', 100), 1);
});

test('an agreed limit replaces the default limit of the vendor, in the unit of the vendor', () => {
  const vendorLimit = { count: 500, unit: 'requests' } as const;
  assert.equal(rateLimitOf(vendorLimit, null), vendorLimit);
  assert.deepEqual(rateLimitOf(vendorLimit, 3_000), { count: 3_000, unit: 'requests' });
  assert.deepEqual(rateLimitOf(undefined, 3_000), { count: 3_000, unit: 'devices' });
  assert.equal(rateLimitOf(undefined, null), undefined);
});

describe('permits', () => {
  const devices = (...counts: number[]) => counts.map((placeCount) => ({ placeCount, cost: placeCount }));

  test('admit all places if there are enough', () => {
    assert.deepEqual(admitPlaces(devices(3, 4), 7), [3, 4]);
  });

  test('admit the first slice and a part of the next if there are too few', () => {
    assert.deepEqual(admitPlaces(devices(3, 4, 5), 5), [3, 2, 0]);
    assert.deepEqual(admitPlaces(devices(3), 0), [0]);
  });

  test('admit whole requests if the limit counts requests', () => {
    const slices = [1, 2].map(() => ({ placeCount: 512, cost: 1 }));
    assert.deepEqual(admitPlaces(slices, 1), [512, 0]);
  });
});

test('delayed work is retried when permits are expected to be available, but within two minutes', () => {
  assert.equal(
    rateLimitDelayMs(500, 1_000, () => 0),
    500,
  );
  assert.equal(
    rateLimitDelayMs(1, 1_000, () => 0),
    200,
  );
  assert.ok(rateLimitDelayMs(1_000_000, 1, () => 0.999) <= 120_000);
});
