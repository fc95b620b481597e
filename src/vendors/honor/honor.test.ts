import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { account, goldens, headers, ids, NOW, notification, withBadge } from '../../../test/vendors/goldens/honor.ts';
import type { TokenSource, VendorAccount } from '../vendor.ts';
import { honor } from './honor.ts';

describe('a request to Honor', () => {
  for (const golden of goldens) {
    test(`sends ${golden.what}`, () => {
      const credentials = honor.toCredentials(account(golden.account), 'granted');
      const input = notification(golden.message, golden.notification);
      assert.deepEqual(honor.toRequest(input, ['t1', 't2'], credentials, NOW), {
        path: golden.path ?? '/api/v1/104410001/sendMessage',
        headers,
        body: JSON.stringify({ data: golden.data ?? `{${ids}}`, android: golden.android, token: ['t1', 't2'] }),
      });
    });
  }

  test('is identical for all devices of a slice except for the tokens', () => {
    const credentials = honor.toCredentials(account(), 'granted');
    const [first, second] = [
      { deviceId: 1n, badge: 3 },
      { deviceId: 2n, badge: 8 },
    ].map((change) => honor.toRequest(notification(withBadge('+1'), change), ['t1'], credentials, NOW));
    assert.deepEqual(first, second);
  });
});

describe("Honor's access token", () => {
  const sourceOf = (change: Partial<VendorAccount> = {}) => {
    const source = honor.tokenSource(account(change), NOW);
    assert.equal(source?.kind, 'requested');
    return source as Extract<TokenSource, { kind: 'requested' }>;
  };

  test('is requested with the URL-encoded Client ID and Client Secret', async () => {
    assert.deepEqual(await sourceOf().toRequest(NOW), {
      path: '/auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=client-1&client_secret=a%2Bb%26c%3Dd%2F%C3%A9',
    });
  });

  test('is shared by accounts with the same Client ID and Client Secret', () => {
    const { cacheKeyParts } = sourceOf();
    assert.deepEqual(
      sourceOf({ appId: 'other', environment: 0, version: 7, vendorAppId: '1' }).cacheKeyParts,
      cacheKeyParts,
    );
    assert.notDeepEqual(sourceOf({ appSecret: 'x' }).cacheKeyParts, cacheKeyParts);
    assert.notDeepEqual(sourceOf({ appKey: 'x' }).cacheKeyParts, cacheKeyParts);
  });

  test('locks the account out if the request for it is rejected', () => {
    const body = '{"error":"unauthorized_client","error_description":"Invalid client credentials"}';
    assert.deepEqual(sourceOf().toToken({ status: 401, headers: {}, body }), {
      kind: 'locked-out',
      reason: 'no token: 401 unauthorized_client',
    });
  });
});
