import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TokenBucket } from './token-bucket.ts';

const takeAll = (bucket: TokenBucket, nowMs: number) => {
  let taken = 0;
  while (bucket.take(nowMs)) taken++;
  return taken;
};

describe('token bucket', () => {
  test('holds at most the tokens of one second, and refills evenly', () => {
    const bucket = new TokenBucket(10, 5_000);
    assert.equal(takeAll(bucket, 5_000), 10);
    assert.equal(takeAll(bucket, 5_099), 0);
    assert.equal(takeAll(bucket, 5_300), 3);
    assert.equal(takeAll(bucket, 60_000), 10);
  });

  test('is full if nothing was taken for a second', () => {
    const bucket = new TokenBucket(10, 0);
    assert.ok(bucket.isFull(0));
    takeAll(bucket, 0);
    assert.ok(!bucket.isFull(900));
    assert.ok(bucket.isFull(1_000));
  });
});
