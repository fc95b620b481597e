import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { account, goldens, headers, NOW, notification } from '../../../test/vendors/goldens/oppo.ts';
import type { TokenSource, VendorAccount } from '../vendor.ts';
import { oppo } from './oppo.ts';

const credentials = oppo.toCredentials(account(), 'g+1');
const request = (tokens: readonly string[], change = {}) =>
  oppo.toRequest(notification({ body: 'dong' }, change), tokens, credentials, NOW);
const targetsOf = (tokens: readonly string[]) => {
  const messages = new URLSearchParams(request(tokens).body).get('messages') ?? '';
  return (JSON.parse(messages) as { target_value: string }[]).map(({ target_value }) => target_value);
};

describe('a request to OPPO', () => {
  for (const golden of goldens) {
    test(`sends ${golden.what}`, () => {
      const input = notification(golden.message, golden.notification);
      const own = oppo.toCredentials(account(golden.account), 'g+1');
      const entry = (token: string) => ({ target_type: 2, target_value: token, notification: golden.shown });
      assert.deepEqual(oppo.toRequest(input, ['t1', 'CN_t2'], own, NOW), {
        path: '/server/v1/message/notification/unicast_batch',
        headers,
        body: new URLSearchParams({
          auth_token: 'g+1',
          messages: JSON.stringify([entry('t1'), entry('CN_t2')]),
        }).toString(),
      });
    });
  }

  test('contains the encoded access token in the form', () => {
    assert.match(request(['t1']).body, /^auth_token=g%2B1&messages=/);
  });

  test('is identical for all devices of a slice except for the tokens', () => {
    assert.deepEqual(request(['t1'], { deviceId: 1n, badge: 3 }), request(['t1'], { deviceId: 2n, badge: 8 }));
  });

  test('leaves out tokens from other countries', () => {
    const mainland = ['abc', 'CN_abc', 'OPPO_CN_abc', 'realme_CN_abc'];
    const others = ['IN_abc', 'OPPO_IN_abc', 'OPPO_EUEX_abc', 'CN_IN_abc', 'x_OPPO_CN_abc', '_abc', 'cn_abc'];
    assert.deepEqual(targetsOf([...others, ...mainland]), mainland);
    assert.deepEqual(targetsOf(others), []);
  });

  test('shows nothing for a data-only message', () => {
    const input = notification({ type: 'cmd', title: 'sync', body: 'now' });
    const { body } = oppo.toRequest(input, ['t1'], credentials, NOW);
    const [entry] = JSON.parse(new URLSearchParams(body).get('messages') ?? '');
    assert.deepEqual([entry.notification.title, entry.notification.content], ['', '']);
  });
});

describe("OPPO's access token", () => {
  const sourceOf = (change: Partial<VendorAccount> = {}) => {
    const source = oppo.tokenSource(account(change), NOW);
    assert.equal(source?.kind, 'requested');
    return source as Extract<TokenSource, { kind: 'requested' }>;
  };
  const grant = (status: number, body: unknown, headers = {}) =>
    sourceOf().toToken({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

  test('is requested with the time and a signature', async () => {
    // The hash was computed independently.
    const sign = '247f7941f1777c4a2cdd77de20a16486d912a3c1895aadc4f0996237fd387ddc';
    assert.deepEqual(await sourceOf().toRequest(new Date(1_700_000_000_000)), {
      path: '/server/v1/auth',
      headers,
      body: `app_key=demoAppKey0001&timestamp=1700000000000&sign=${sign}`,
    });
  });

  test('is shared by accounts with the same key and secret', () => {
    const { cacheKeyParts } = sourceOf();
    assert.deepEqual(
      sourceOf({ appId: 'other', environment: 0, version: 7, vendorAppId: '1' }).cacheKeyParts,
      cacheKeyParts,
    );
    assert.notDeepEqual(sourceOf({ appSecret: 'x' }).cacheKeyParts, cacheKeyParts);
    assert.notDeepEqual(sourceOf({ appKey: 'x' }).cacheKeyParts, cacheKeyParts);
  });

  test('is valid for a day', () => {
    const data = { auth_token: '5808777b-2c20', create_time: 1_700_000_000_123 };
    assert.deepEqual(grant(200, { code: 0, message: 'Success', data }), {
      token: '5808777b-2c20',
      lifetimeSeconds: 86_400,
    });
  });

  test('is missing if OPPO returns an error code', () => {
    for (const code of [14, 15, 16, 17, 18, 19, 25, 28, 40])
      assert.deepEqual(grant(200, { code }), { kind: 'locked-out', reason: `no token: ${code}` });
    for (const code of [-2, 13, 55])
      assert.deepEqual(grant(200, { code }), { kind: 'throttled', retryAfterSeconds: 10, account: true });
    for (const code of [-1, 11, 99])
      assert.deepEqual(grant(200, { code }), { kind: 'unreachable', reason: `no token: ${code}` });
  });

  test('is missing if the response contains no valid token', () => {
    for (const data of [undefined, {}, { auth_token: 7 }, { auth_token: '' }, { auth_token: 'a b' }])
      assert.deepEqual(grant(200, { code: 0, data }), { kind: 'unreachable', reason: 'no token: 0' });
    assert.deepEqual(grant(502, '<html>'), { kind: 'unreachable', reason: 'no token: HTTP 502' });
  });

  test('is not requested with credentials that cannot be read', () => {
    assert.throws(() => oppo.tokenSource(account({ certificate: 'canary' }), NOW));
  });
});
