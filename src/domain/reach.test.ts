import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Environment, vendorNames } from './channel.ts';
import { reachBit, vendorBits } from './reach.ts';

const pairs = vendorNames.flatMap((vendor) =>
  ([0, 1] satisfies Environment[]).map((environment) => ({ vendor, environment })),
);

describe('reach', () => {
  test('has a separate bit for each vendor and environment', () => {
    const bits = pairs.map(({ vendor, environment }) => reachBit(vendor, environment));
    assert.equal(bits.length, 2 * vendorNames.length);
    assert.equal(new Set(bits).size, bits.length);
    for (const bit of bits)
      assert.ok(bit > 0 && (bit & (bit - 1)) === 0, `${bit} is a single bit and fits into an int`);
  });

  test('of a vendor consists of the bits of its two environments', () => {
    for (const vendor of vendorNames) {
      const expected = pairs.filter((pair) => pair.vendor === vendor);
      const found = pairs.filter((pair) => (vendorBits(vendor) & reachBit(pair.vendor, pair.environment)) !== 0);
      assert.deepEqual(found, expected);
    }
  });

  test('has stable bits, because they are stored in the database', () => {
    assert.deepEqual(
      pairs.map(({ vendor, environment }) => `${vendor}:${environment}=${reachBit(vendor, environment)}`),
      [
        'apns:0=1',
        'apns:1=2',
        'fcm:0=4',
        'fcm:1=8',
        'flyme:0=16',
        'flyme:1=32',
        'harmony:0=65536',
        'harmony:1=131072',
        'honor:0=64',
        'honor:1=128',
        'huawei:0=256',
        'huawei:1=512',
        'oppo:0=1024',
        'oppo:1=2048',
        'vivo:0=4096',
        'vivo:1=8192',
        'webpush:0=262144',
        'webpush:1=524288',
        'xiaomi:0=16384',
        'xiaomi:1=32768',
      ],
    );
  });
});
