import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Networks } from '#src/foundation/networks.ts';
import { TrustedProxies } from './trusted-proxies.ts';

describe('trusted proxies', () => {
  const proxies = new TrustedProxies(new Networks('SETTING', '10.0.0.7, 10.1.0.0/16,fd00::/8,::1'));

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
    test(`X-Forwarded-For "${header}" has client ${client}`, () => {
      assert.equal(proxies.clientAddressOf(header, '10.0.0.7'), client);
    });
});
