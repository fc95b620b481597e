import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { issueCertificate } from '../../../test/vendors/apns-test-certificates.ts';
import type { ProviderToken, VendorAccount } from '../vendor.ts';
import { apnsClientCertificate, apnsCredentials, apnsTokenSource } from './credentials.ts';

const MINUTE_MS = 60_000;
const NOW = new Date('2026-11-15T12:00:00.500Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p8 = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let apps = 0;
/** Returns an account for which no provider token has been signed yet. */
const newAccount = (change: Partial<VendorAccount> = {}): VendorAccount => ({
  appId: `app-${++apps}`,
  environment: 1,
  vendorAppId: 'com.example.bells',
  appKey: 'KEYID00001',
  appSecret: 'TEAMID0001',
  certificate: p8,
  version: 1,
  ...change,
});

const sign = async (account: VendorAccount, now = NOW): Promise<ProviderToken> => {
  const source = apnsTokenSource(account, now);
  assert.ok(source?.kind === 'signed');
  return source.sign(now);
};

test('signs provider tokens with ES256, the key ID, the team ID and the issue time, and no other claims', async () => {
  const { token, lifetimeSeconds } = await sign(newAccount());
  const { payload } = await jwtVerify(token, keys.publicKey, { currentDate: NOW });
  assert.deepEqual(payload, { iss: 'TEAMID0001', iat: Math.floor(NOW.getTime() / 1_000) });
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'ES256', kid: 'KEYID00001' });
  assert.equal(lifetimeSeconds, 3_600, 'Apple rejects older tokens');
});

test('shares a provider token only between apps and environments with the same key', () => {
  const account = newAccount();
  const madeFrom = (change: Partial<VendorAccount>) => apnsTokenSource({ ...account, ...change }, NOW)?.cacheKeyParts;
  const own = apnsTokenSource(account, NOW);
  assert.equal(own?.renewAfterSeconds, 1_200, 'Apple rejects more frequent renewals');
  for (const change of [{ appId: 'another' }, { environment: 0 }, { vendorAppId: 'com.example.beta' }, { version: 2 }])
    assert.deepEqual(madeFrom(change as Partial<VendorAccount>), own?.cacheKeyParts);
  for (const change of [{ appKey: 'KEYID00002' }, { appSecret: 'TEAMID0002' }, { certificate: 'x' }])
    assert.notDeepEqual(madeFrom(change), own?.cacheKeyParts);
});

test('requests use the topic of the stored credentials', () => {
  const account = newAccount({ environment: 0, vendorAppId: 'com.example.beta' });
  assert.deepEqual(apnsCredentials(account, 'signed'), { topic: 'com.example.beta', providerToken: 'signed' });
});

describe('rejected signing keys', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const bad: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['a string that is not a key', 'my secret key'],
    ['a truncated key', p8.slice(0, p8.length / 2)],
    ['an RSA key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['a key on another curve', p384.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ];
  for (const [what, certificate] of bad) {
    test(what, async () => {
      await assert.rejects(sign(newAccount({ certificate })));
    });
  }
});

describe('account with a push certificate', () => {
  const { pem, keys: certified } = issueCertificate({ validDays: [-10, 10] });
  const account = () => newAccount({ appKey: '', appSecret: '', certificate: `${pem}${certified.privatePem}` });
  const DAY_MS = 24 * 60 * MINUTE_MS;

  test('signs no token and presents the certificate in TLS', () => {
    assert.equal(apnsTokenSource(account(), NOW), undefined);
    const { certificate } = account();
    assert.deepEqual(apnsClientCertificate(account()), { key: certificate, cert: certificate });
    assert.equal(apnsClientCertificate(newAccount()), undefined, 'an account with a p8 key presents no certificate');
  });

  test('is rejected as soon as its certificate expires', () => {
    assert.equal(apnsTokenSource(account(), later(9 * DAY_MS)), undefined);
    assert.throws(() => apnsTokenSource(account(), later(10 * DAY_MS)), /expired/);
  });
});
