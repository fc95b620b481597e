import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pushTokenOf, shardOfDevice, shardOfGuid, shardOfPushToken } from './device.ts';
import { SHARDS } from './task.ts';

describe('shard of a device', () => {
  // Computed with Python's hashlib: SHA-256 of the UTF-8 bytes of app, a zero byte, guid; its first byte >> 2. A device
  // never moves to another shard, so these values must never change.
  const known: readonly (readonly [appId: string, guid: string, shard: number])[] = [
    ['bells', 'phone-1', 0],
    ['bells', 'phone-2', 55],
    ['other', 'phone-1', 23],
    ['app', '设备-1', 36],
  ];
  for (const [appId, guid, shard] of known)
    test(`${appId}, ${guid} is ${shard}`, () => assert.equal(shardOfGuid(appId, guid), shard));

  test('is the first six bits of SHA-256(app_id, 0, device_guid)', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 });
    fc.assert(
      fc.property(text, text, (appId, guid) => {
        const bytes = Buffer.concat([Buffer.from(appId), Buffer.from([0]), Buffer.from(guid)]);
        const hex = createHash('sha256').update(bytes).digest('hex');
        const bits = BigInt(`0x${hex}`).toString(2).padStart(256, '0');
        assert.equal(shardOfGuid(appId, guid), Number.parseInt(bits.slice(0, 6), 2));
      }),
    );
  });

  test('is distributed about evenly over the 64 shards', () => {
    const counts = new Array<number>(SHARDS).fill(0);
    for (let i = 0; i < 6_400; i++) (counts[shardOfGuid('bells', `phone-${i}`)] as number)++;
    assert.ok(Math.min(...counts) > 50 && Math.max(...counts) < 200, counts.join(' '));
  });

  test('is the last six bits of the device ID', () => {
    for (const [id, shard] of [
      [0n, 0],
      [63n, 63],
      [64n, 0],
      [64n * 1_000_000n + 17n, 17],
      [2n ** 53n - 1n, 63],
    ] as const)
      assert.equal(shardOfDevice(id), shard);
  });
});

describe('push token', () => {
  const random = 'Abc0'.repeat(7);

  test('contains its shard, for every shard', () => {
    for (let shard = 0; shard < SHARDS; shard++) {
      const token = pushTokenOf(shard, random);
      assert.match(token, /^p\d\d[0-9A-Za-z]+$/);
      assert.equal(shardOfPushToken(token), shard);
    }
  });

  const foreign: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['a shard that does not exist', `p64${random}`],
    ['the largest two-digit shard', `p99${random}`],
    ['a one-digit shard', `p1${'x'.repeat(27)}`],
    ['an upper-case prefix', `P01${random}`],
    ['a string that is too short', 'p01short'],
    ['a string that is too long', `p01${'x'.repeat(65)}`],
    ['a trailing hyphen', `p01${random}-`],
    ['a trailing line break', `p01${random}\n`],
    ['a leading space', ` p01${random}`],
    ['an access token', `cu_${random}`],
  ];
  for (const [what, token] of foreign)
    test(`parsing rejects ${what}`, () => assert.equal(shardOfPushToken(token), undefined));
});
