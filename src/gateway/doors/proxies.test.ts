import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Proxies } from './proxies.ts';

describe('proxies that are believed', () => {
  const proxies = new Proxies(['10.0.0.7', '10.1.0.0/16', 'fd00::/8', '::1']);

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
      assert.equal(proxies.has(address), isOne);
    });

  test('without any, nobody is one', () => {
    const nobody = new Proxies([]);
    for (const address of ['127.0.0.1', '::1', '10.0.0.7']) assert.equal(nobody.has(address), false);
  });

  for (const [header, client] of [
    ['192.0.2.1', '192.0.2.1'],
    ['6.6.6.6, 192.0.2.1', '192.0.2.1'],
    ['6.6.6.6,192.0.2.1 ,10.1.2.3', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['10.1.2.3', '10.1.2.3'],
    ['', '10.0.0.7'],
    ['6.6.6.6, unknown', '10.0.0.7'],
    ['unknown, 10.1.2.3', '10.1.2.3'],
  ] as const)
    test(`X-Forwarded-For: "${header}" is of ${client}`, () => {
      assert.equal(proxies.clientOf(header, '10.0.0.7'), client);
    });

  for (const item of ['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '::1/129', '10.0.0.0/8/8'])
    test(`${item} is not a place`, () => {
      assert.throws(() => new Proxies([item]), /neither an address nor a network/);
    });
});
