import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { account } from '../../../test/vendors/goldens/vivo.ts';
import type { TokenSource, VendorAccount } from '../vendor.ts';
import { signVivo, vivoCredentials, vivoTokenSource } from './credentials.ts';

const sourceOf = (change: Partial<VendorAccount> = {}) =>
  vivoTokenSource(account(change)) as Extract<TokenSource, { kind: 'requested' }>;

describe("vivo's signature", () => {
  test("matches vivo's own example", () => {
    const appKey = '25509283-3767-4b9e-83fe-b6e55ac6243e';
    const sign = signVivo('10004', appKey, 1_501_484_120_000, '7265f2a4-ebbb-44bf-88b9-b03e67dfdc21');
    assert.equal(sign, 'fe3b46a2befc60334c2388676a752bd6');
  });

  test('matches an independently computed example', () => {
    const sign = signVivo('100001', '0a1b2c3d-demo-key', 1_700_000_000_000, '9f8e7d6c-demo-secret');
    assert.equal(sign, 'c2bab5bfdcbb7c0a87403b85389eab19');
  });
});

describe("vivo's token", () => {
  test('is requested with a signature over the current time', async () => {
    assert.deepEqual(await sourceOf().toRequest(new Date(1_700_000_000_000)), {
      path: '/message/auth',
      headers: { 'content-type': 'application/json;charset=UTF-8' },
      body: '{"appId":100001,"appKey":"0a1b2c3d-demo-key","timestamp":1700000000000,"sign":"c2bab5bfdcbb7c0a87403b85389eab19"}',
    });
  });

  test('is shared by accounts with the same AppID, AppKey and AppSecret', () => {
    const { cacheKeyParts } = sourceOf();
    assert.deepEqual(
      sourceOf({ appId: 'other', environment: 0, version: 7, certificate: '{}' }).cacheKeyParts,
      cacheKeyParts,
    );
    for (const change of [{ vendorAppId: '2' }, { appKey: 'x' }, { appSecret: 'x' }])
      assert.notDeepEqual(sourceOf(change).cacheKeyParts, cacheKeyParts);
  });

  test('is not requested with credentials that cannot be read', () => {
    assert.throws(() => sourceOf({ certificate: 'no JSON' }));
    assert.throws(() => sourceOf({ vendorAppId: 'letters' }));
  });

  const tokenOf = (status: number, body: unknown) =>
    sourceOf().toToken({ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) });

  test('is kept for two hours, though it is valid for a day', () => {
    const authToken = 'b9e81c8d-c1cd-4ad0-a4e6-2e3b7e2a9d1c';
    assert.deepEqual(tokenOf(200, { result: 0, desc: '请求成功', authToken }), {
      token: authToken,
      lifetimeSeconds: 7_200,
    });
  });

  test('is missing if the credentials are wrong or vivo is unavailable', () => {
    for (const code of [10_000, 10_200, 10_201, 10_202, 10_203, 10_204, 10_205, 10_206, 10_207])
      assert.deepEqual(tokenOf(200, { result: code, desc: 'canary' }), {
        kind: 'locked-out',
        reason: `no token: ${code}`,
      });
    assert.deepEqual(tokenOf(200, { result: 10_093 }), { kind: 'throttled', retryAfterSeconds: 1, account: true });
    assert.deepEqual(tokenOf(500, 'Internal Server Error'), { kind: 'unreachable', reason: 'no token: HTTP 500' });
    for (const authToken of [undefined, '', 7, 'a b', 'a\nb'])
      assert.deepEqual(tokenOf(200, { result: 0, authToken }), { kind: 'unreachable', reason: 'no token: 0' });
  });
});

test('the settings of requests come from the credentials', () => {
  const certificate = '{"callback_id":"77","category":"IM","default_classification":1,"add_badge":true}';
  assert.deepEqual(vivoCredentials(account({ certificate, environment: 0 }), 'granted'), {
    appId: 100_001n,
    authToken: 'granted',
    isTest: true,
    callbackId: '77',
    category: 'IM',
    defaultClassification: 1,
    addsBadge: true,
  });
  const blank = vivoCredentials(account({ certificate: '{"callback_id":"","category":null}' }), '');
  assert.deepEqual([blank.callbackId, blank.category], [undefined, undefined]);
  assert.deepEqual([blank.defaultClassification, blank.addsBadge], [0, false]);
});
