import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Networks } from './networks.ts';
import { SettingsError } from './settings.ts';

describe('addresses and networks of a setting', () => {
  const networks = new Networks('SETTING', '10.0.0.7, 10.1.0.0/16,fd00::/8 ,,::1');

  for (const [address, isOne] of [
    ['10.0.0.7', true],
    ['10.0.0.8', false],
    ['10.1.255.255', true],
    ['::ffff:10.0.0.7', true],
    ['::ffff:10.0.0.8', false],
    ['fd12::1', true],
    ['::1', true],
    ['::2', false],
    [undefined, false],
    ['unknown', false],
  ] as const)
    test(`${address} is ${isOne ? 'one' : 'none'}`, () => {
      assert.equal(networks.has(address), isOne);
    });

  test('an empty setting matches no address', () => {
    const nobody = new Networks('SETTING', '');
    assert.equal(nobody.size, 0);
    for (const address of ['127.0.0.1', '::1', '10.0.0.7']) assert.equal(nobody.has(address), false);
  });

  for (const item of ['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '::1/129', '10.0.0.0/8/8'])
    test(`rejects ${item}`, () => {
      assert.throws(
        () => new Networks('SETTING', `10.0.0.7, ${item}`),
        (error) => error instanceof SettingsError && /SETTING: item 2 is neither/.test(error.message),
      );
    });
});
