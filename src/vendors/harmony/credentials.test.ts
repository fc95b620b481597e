import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { account } from '../../../test/vendors/goldens/harmony.ts';
import { huaweiTokenSource } from '../huawei/credentials.ts';
import type { TokenSource } from '../vendor.ts';
import { harmonyTokenSource } from './credentials.ts';

const NOW = new Date('2026-11-15T12:00:00.500Z');
const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const certificate = JSON.stringify({
  project_id: '7361001',
  key_id: 'key-1',
  sub_account: '1107',
  private_key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});

describe('a token for HarmonyOS', () => {
  const source = harmonyTokenSource(account({ certificate })) as Extract<TokenSource, { kind: 'signed' }>;

  test('is signed with the algorithm, key id, issuer, audience and lifetime that Huawei requires', async () => {
    assert.equal(source.kind, 'signed');
    const { token, lifetimeSeconds } = await source.sign(NOW);
    assert.equal(lifetimeSeconds, 3_600);
    const { payload } = await jwtVerify(token, keys.publicKey, { currentDate: NOW, algorithms: ['PS256'] });
    const iat = Math.floor(NOW.getTime() / 1_000);
    const aud = 'https://oauth-login.cloud.huawei.com/oauth2/v3/token';
    assert.deepEqual(payload, { iss: '1107', aud, iat, exp: iat + 3_600 });
    assert.deepEqual(decodeProtectedHeader(token), { alg: 'PS256', typ: 'JWT', kid: 'key-1' });
  });

  test('has the cache key of the Huawei token that the same service account signs', () => {
    assert.deepEqual(source.cacheKeyParts, huaweiTokenSource(account({ certificate })).cacheKeyParts);
  });

  test('cannot be obtained without a service account, because OAuth tokens are not accepted', () => {
    assert.throws(() => harmonyTokenSource(account({ certificate: '{"category":"IM"}' })));
  });
});
