import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { VendorAccount } from '../vendor.ts';
import { apnsClientCertificate, apnsCredentials } from './credentials.ts';
import { issue } from './test-certificates.ts';

const MINUTE_MS = 60_000;
const NOW = new Date('2026-11-15T12:00:00.500Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p8 = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let apps = 0;
/** An account that nobody has signed for yet. */
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

const tokenOf = async (account: VendorAccount, now: Date) => (await apnsCredentials(account, now)).providerToken ?? '';

test('a provider token is what Apple wants: ES256, key id, team id, the time it was made, and nothing else', async () => {
  const { topic, providerToken = '' } = await apnsCredentials(newAccount(), NOW);
  assert.equal(topic, 'com.example.bells');
  const { payload } = await jwtVerify(providerToken, keys.publicKey, { currentDate: NOW });
  assert.deepEqual(payload, { iss: 'TEAMID0001', iat: Math.floor(NOW.getTime() / 1_000) });
  assert.deepEqual(decodeProtectedHeader(providerToken), { alg: 'ES256', kid: 'KEYID00001' });
});

describe('a provider token', () => {
  const ages: readonly (readonly [string, number, boolean])[] = [
    ['at the same instant', 0, true],
    ['after a second', 1_000, true],
    ['a moment before 45 minutes', 45 * MINUTE_MS - 1, true],
    ['after 45 minutes, well before Apple’s hour is over', 45 * MINUTE_MS, false],
    ['after a day', 24 * 60 * MINUTE_MS, false],
  ];
  for (const [when, ms, same] of ages) {
    test(`${when} is ${same ? 'the same' : 'a new one'}`, async () => {
      const account = newAccount();
      const first = await tokenOf(account, NOW);
      const second = await tokenOf(account, later(ms));
      assert.equal(second === first, same);
      const { payload } = await jwtVerify(second, keys.publicKey, { currentDate: later(ms) });
      assert.equal(payload.iat, Math.floor((same ? NOW : later(ms)).getTime() / 1_000));
    });
  }

  test('that is new is then kept as well', async () => {
    const account = newAccount();
    await tokenOf(account, NOW);
    const renewed = await tokenOf(account, later(50 * MINUTE_MS));
    assert.equal(await tokenOf(account, later(60 * MINUTE_MS)), renewed);
  });

  test('is made anew when the record was saved anew, and not shared between apps or environments', async () => {
    const account = newAccount();
    const tokens = [
      await tokenOf(account, NOW),
      await tokenOf({ ...account, version: 2, appKey: 'KEYID00002' }, NOW),
      await tokenOf({ ...account, environment: 0 }, NOW),
      await tokenOf({ ...account, appId: 'another' }, NOW),
    ];
    assert.equal(new Set(tokens).size, tokens.length);
    assert.equal(decodeProtectedHeader(tokens[1] as string).kid, 'KEYID00002');
    assert.equal(await tokenOf(account, NOW), tokens[0], 'the first one is still there');
  });

  test('of the sandbox says the topic of its own record', async () => {
    const { topic } = await apnsCredentials(newAccount({ environment: 0, vendorAppId: 'com.example.beta' }), NOW);
    assert.equal(topic, 'com.example.beta');
  });
});

describe('a key that cannot sign is refused, and is not remembered', () => {
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
      const account = newAccount({ certificate });
      await assert.rejects(apnsCredentials(account, NOW));
      await assert.rejects(apnsCredentials(account, NOW), 'the second call is told as well');
    });
  }
});

describe('an account with a push certificate', () => {
  const { pem, keys: certified } = issue({ validDays: [-10, 10] });
  const account = () => newAccount({ appKey: '', appSecret: '', certificate: `${pem}${certified.privatePem}` });
  const DAY_MS = 24 * 60 * MINUTE_MS;

  test('signs nothing; its connections show the certificate', async () => {
    assert.deepEqual(await apnsCredentials(account(), NOW), { topic: 'com.example.bells', providerToken: undefined });
    const { certificate } = account();
    assert.deepEqual(apnsClientCertificate(account()), { key: certificate, cert: certificate });
    assert.equal(apnsClientCertificate(newAccount()), undefined, 'one with a p8 key shows none');
  });

  test('is of no use any more from the moment it expires', async () => {
    assert.ok(await apnsCredentials(account(), later(9 * DAY_MS)));
    await assert.rejects(apnsCredentials(account(), later(10 * DAY_MS)), /expired/);
  });
});
