import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BUCKETS } from './bucket.ts';
import { bucketOfDevice, bucketOfPushToken, pushTokenOf } from './device.ts';

test('the bucket of a device is the last 12 bits of its ID', () => {
  for (const [id, bucket] of [
    [0n, 0],
    [4_095n, 4_095],
    [4_096n, 0],
    [4_096n * 1_000_000n + 17n, 17],
    [2n ** 53n - 1n, 4_095],
  ] as const)
    assert.equal(bucketOfDevice(id), bucket);
});

describe('push token', () => {
  const random = 'Abc0'.repeat(7);

  test('contains its bucket, for every bucket', () => {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const token = pushTokenOf(bucket, random);
      assert.match(token, /^p[0-9a-f]{3}[0-9A-Za-z]+$/);
      assert.equal(bucketOfPushToken(token), bucket);
    }
  });

  const foreign: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['upper-case digits', `p0AB${random}`],
    ['a digit that is not hexadecimal', `p0g1${random}`],
    ['an upper-case prefix', `P001${random}`],
    ['a string that is too short', 'p001short'],
    ['a string that is too long', `p001${'x'.repeat(65)}`],
    ['a trailing hyphen', `p001${random}-`],
    ['a trailing line break', `p001${random}\n`],
    ['a leading space', ` p001${random}`],
    ['an access token', `cu_${random}`],
  ];
  for (const [what, token] of foreign)
    test(`parsing rejects ${what}`, () => assert.equal(bucketOfPushToken(token), undefined));
});
