import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { TokenSource, VendorAccount } from '../vendor.ts';
import { huaweiTokenSource } from './credentials.ts';

const NOW = new Date('2026-11-15T12:00:00.500Z');
const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pem = (type: 'pkcs1' | 'pkcs8') => keys.privateKey.export({ type, format: 'pem' }).toString();
const serviceAccount = (change: object = {}) =>
  JSON.stringify({ key_id: 'key-1', sub_account: '1107', private_key: pem('pkcs8'), ...change });

const account = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: 'bells',
  environment: 1,
  vendorAppId: '10086001',
  appKey: '',
  appSecret: 'a+b&c=d/é',
  certificate: '',
  version: 1,
  ...change,
});

type Kind = TokenSource['kind'];
function sourceOf<K extends Kind>(kind: K, change: Partial<VendorAccount> = {}): Extract<TokenSource, { kind: K }> {
  const source = huaweiTokenSource(account(change));
  assert.equal(source.kind, kind);
  return source as Extract<TokenSource, { kind: K }>;
}

describe('a token granted by Huawei', () => {
  test('is requested with the URL-encoded App ID and App secret', async () => {
    for (const certificate of ['', '{}', '{"category":"IM"}', '{"private_key":null}']) {
      assert.deepEqual(await sourceOf('requested', { certificate }).toRequest(NOW), {
        path: '/oauth2/v3/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials&client_id=10086001&client_secret=a%2Bb%26c%3Dd%2F%C3%A9',
      });
    }
  });

  test('is shared by accounts with the same App ID and App secret', () => {
    const { cacheKeyParts } = sourceOf('requested');
    assert.deepEqual(
      sourceOf('requested', { appId: 'other', environment: 0, version: 7, appKey: '1' }).cacheKeyParts,
      cacheKeyParts,
    );
    assert.notDeepEqual(sourceOf('requested', { appSecret: 'x' }).cacheKeyParts, cacheKeyParts);
    assert.notDeepEqual(sourceOf('requested', { vendorAppId: '2' }).cacheKeyParts, cacheKeyParts);
  });
});

describe('a token signed with a service account', () => {
  test('has the algorithm, key id, issuer, audience and lifetime that Huawei requires', async () => {
    for (const certificate of [serviceAccount(), serviceAccount({ private_key: pem('pkcs1') })]) {
      const { token, lifetimeSeconds } = await sourceOf('signed', { certificate }).sign(NOW);
      assert.equal(lifetimeSeconds, 3_600);
      const { payload } = await jwtVerify(token, keys.publicKey, { currentDate: NOW, algorithms: ['PS256'] });
      const iat = Math.floor(NOW.getTime() / 1_000);
      assert.deepEqual(payload, {
        iss: '1107',
        aud: 'https://oauth-login.cloud.huawei.com/oauth2/v3/token',
        iat,
        exp: iat + 3_600,
      });
      assert.deepEqual(decodeProtectedHeader(token), { alg: 'PS256', typ: 'JWT', kid: 'key-1' });
    }
  });

  test('has another cache key if the key id, the account or the private key differs', () => {
    const madeFrom = (change: object) => sourceOf('signed', { certificate: serviceAccount(change) }).cacheKeyParts;
    assert.deepEqual(madeFrom({ category: 'IM' }), madeFrom({}));
    for (const change of [{ key_id: 'key-2' }, { sub_account: '2' }, { private_key: pem('pkcs1') }])
      assert.notDeepEqual(madeFrom(change), madeFrom({}));
  });

  test('cannot be signed if the private key cannot be read', async () => {
    await assert.rejects(sourceOf('signed', { certificate: serviceAccount({ private_key: 'x' }) }).sign(NOW));
  });
});
