import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BUCKETS, bucketOfGuid, bucketOfRequestKey, bucketOfUser, formatBucket } from './bucket.ts';

describe('bucket', () => {
  // Computed with Python's hashlib: SHA-256 of the UTF-8 bytes of the parts, separated by zero bytes; its first 12 bits.
  // Buckets are part of IDs, so these values must never change.
  const known: readonly (readonly [appId: string, guid: string, bucket: number])[] = [
    ['bells', 'phone-1', 54],
    ['bells', 'phone-2', 3528],
    ['other', 'phone-1', 1519],
    ['app', '设备-1', 2321],
  ];
  for (const [appId, guid, bucket] of known)
    test(`of the device ${appId}, ${guid} is ${bucket}`, () => assert.equal(bucketOfGuid(appId, guid), bucket));

  test('of a user and of an idempotency key', () => {
    assert.equal(bucketOfUser('bells', 100_001n), 2815);
    assert.equal(bucketOfRequestKey({ appId: 'bells', author: 'admin', requestId: 'order-1' }), 4067);
  });

  test('is the first 12 bits of SHA-256(app_id, 0, device_guid)', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 });
    fc.assert(
      fc.property(text, text, (appId, guid) => {
        const bytes = Buffer.concat([Buffer.from(appId), Buffer.from([0]), Buffer.from(guid)]);
        const hex = createHash('sha256').update(bytes).digest('hex');
        assert.equal(bucketOfGuid(appId, guid), Number.parseInt(hex.slice(0, 3), 16));
      }),
    );
  });

  test('is distributed about evenly', () => {
    const counts = new Array<number>(BUCKETS / 64).fill(0);
    for (let i = 0; i < 6_400; i++) (counts[bucketOfGuid('bells', `phone-${i}`) >> 6] as number)++;
    assert.ok(Math.min(...counts) > 50 && Math.max(...counts) < 200, counts.join(' '));
  });

  test('is formatted as three hexadecimal digits', () => {
    assert.deepEqual([0, 10, 255, 4_095].map(formatBucket), ['000', '00a', '0ff', 'fff']);
  });
});
