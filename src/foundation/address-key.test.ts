import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressKeyOf } from './address-key.ts';

describe('address keys', () => {
  const cases: [address: string, whose: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::6', '2001:db8:1:2::'],
    ['2001:db8::6', '2001:db8:0:0::'],
    ['::1', '0:0:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
  ];
  for (const [address, key] of cases)
    test(`${address} is ${key}`, () => {
      assert.equal(addressKeyOf(address), key);
    });
});
