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

test('a provider token is what Apple wants: ES256, key id, team id, the time it was made, and nothing else', async () => {
  const { token, lifetimeSeconds } = await sign(newAccount());
  const { payload } = await jwtVerify(token, keys.publicKey, { currentDate: NOW });
  assert.deepEqual(payload, { iss: 'TEAMID0001', iat: Math.floor(NOW.getTime() / 1_000) });
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'ES256', kid: 'KEYID00001' });
  assert.equal(lifetimeSeconds, 3_600, 'Apple refuses older ones');
});

test('a provider token is shared by apps and environments that have the same key, and by no others', () => {
  const account = newAccount();
  const madeFrom = (change: Partial<VendorAccount>) => apnsTokenSource({ ...account, ...change }, NOW)?.cacheKeyParts;
  const own = apnsTokenSource(account, NOW);
  assert.equal(own?.renewAfterSeconds, 1_200, 'Apple refuses new ones more often');
  for (const change of [{ appId: 'another' }, { environment: 0 }, { vendorAppId: 'com.example.beta' }, { version: 2 }])
    assert.deepEqual(madeFrom(change as Partial<VendorAccount>), own?.cacheKeyParts);
  for (const change of [{ appKey: 'KEYID00002' }, { appSecret: 'TEAMID0002' }, { certificate: 'x' }])
    assert.notDeepEqual(madeFrom(change), own?.cacheKeyParts);
});

test('requests say the topic of the record', () => {
  const account = newAccount({ environment: 0, vendorAppId: 'com.example.beta' });
  assert.deepEqual(apnsCredentials(account, 'signed'), { topic: 'com.example.beta', providerToken: 'signed' });
});

describe('a key that cannot sign is refused', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const bad: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['a text', 'my secret key'],
    ['half a key', p8.slice(0, p8.length / 2)],
    ['an RSA key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
    ['a key on another curve', p384.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ];
  for (const [what, certificate] of bad) {
    test(what, async () => {
      await assert.rejects(sign(newAccount({ certificate })));
    });
  }
});

describe('an account with a push certificate', () => {
  const { pem, keys: certified } = issueCertificate({ validDays: [-10, 10] });
  const account = () => newAccount({ appKey: '', appSecret: '', certificate: `${pem}${certified.privatePem}` });
  const DAY_MS = 24 * 60 * MINUTE_MS;

  test('signs nothing; its connections show the certificate', () => {
    assert.equal(apnsTokenSource(account(), NOW), undefined);
    const { certificate } = account();
    assert.deepEqual(apnsClientCertificate(account()), { key: certificate, cert: certificate });
    assert.equal(apnsClientCertificate(newAccount()), undefined, 'one with a p8 key shows none');
  });

  test('is of no use any more from the moment it expires', () => {
    assert.equal(apnsTokenSource(account(), later(9 * DAY_MS)), undefined);
    assert.throws(() => apnsTokenSource(account(), later(10 * DAY_MS)), /expired/);
  });
});
