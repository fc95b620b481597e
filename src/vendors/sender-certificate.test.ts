import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Environment } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { Problem } from '#src/domain/problem.ts';
import {
  kindsOf,
  readControl,
  type Simulator,
  startSimulator,
  vendorSendOf,
} from '../../test/vendors/apns-simulator.ts';
import { checkApnsCertificate } from './apns/credentials.ts';
import { VendorSender } from './sender.ts';
import type { VendorAccount } from './vendor.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let simulator: Simulator;
let sender: VendorSender;
before(async () => {
  simulator = await startSimulator();
  sender = new VendorSender({
    CARILLON_VENDOR_PROXY_URL: '',
    CARILLON_VENDOR_PROXY_FOR: '',
    CARILLON_WEBPUSH_HOSTS: '',
    CARILLON_VENDOR_DEADLINE_SECONDS: 10,
    CARILLON_APNS_URL_PRODUCTION: simulator.facts.production_url,
    CARILLON_APNS_URL_DEVELOPMENT: simulator.facts.sandbox_url,
  });
});
after(async () => {
  sender.close();
  await simulator[Symbol.asyncDispose]();
});

/** Returns a p12 file in the Keychain's format, created by the APNs simulator. */
const createP12 = (query = '') =>
  readControl<{ p12: string; passphrase: string; topic: string }>(simulator, `/p12${query}`);

let apps = 0;
/** Returns the account that is stored when an operator enters only a file and its passphrase. */
function accountFromP12(
  { p12, passphrase }: { p12: string; passphrase: string },
  environment: Environment,
): VendorAccount {
  const input = { vendorAppId: '', appKey: '', appSecret: passphrase, certificate: p12 };
  const { expiresAt, ...stored } = checkApnsCertificate(input, environment, new Date());
  assert.ok(expiresAt);
  return { appId: `app-${++apps}`, environment, version: 1, ...stored };
}

const send = (account: VendorAccount, tokens: readonly string[], now = new Date()): Promise<Outcome[]> =>
  sender.send('apns', account, tokens.map(vendorSendOf), now);

const lockedOut = (reason: string): Outcome[] => [{ kind: 'locked-out', reason }];

describe('p12 file from the Keychain', () => {
  for (const environment of [0, 1] as const) {
    for (const name of ['', `?environment=${environment === 0 ? 'sandbox' : 'production'}`]) {
      test(`delivers notifications, environment ${environment}, ${name || 'a certificate for both environments'}`, async () => {
        const account = accountFromP12(await createP12(name), environment);
        const token = `live-${account.appId}`;
        assert.deepEqual(kindsOf(await send(account, [token, 'dead-1', 'busy-1'])), [
          'accepted',
          'token-dead',
          'throttled',
        ]);
        const { arrived } = await readControl<{ arrived: { topic: string; environment: string }[] }>(
          simulator,
          `/arrived?token=${token}`,
        );
        assert.deepEqual(
          arrived.map((each) => [each.topic, each.environment]),
          [[simulator.facts.topic, environment === 0 ? 'sandbox' : 'production']],
        );
      });
    }
  }

  test('sends hundreds of notifications over one connection', async () => {
    const account = accountFromP12(await createP12(), 1);
    type Counts = { production: { connections: { opened: number } } };
    const before = (await readControl<Counts>(simulator, '/counts')).production.connections.opened;
    const tokens = Array.from({ length: 300 }, (_, index) => `live-many-${index}`);
    assert.deepEqual(kindsOf(await send(account, tokens)), new Array(300).fill('accepted'));
    assert.equal((await readControl<Counts>(simulator, '/counts')).production.connections.opened - before, 1);
  });

  test('can be replaced by a new certificate or by a p8 key', async () => {
    const account = accountFromP12(await createP12(), 1);
    assert.deepEqual(kindsOf(await send(account, ['live-1'])), ['accepted']);
    const renewed = { ...accountFromP12(await createP12(), 1), appId: account.appId, version: 2 };
    assert.deepEqual(kindsOf(await send(renewed, ['live-2'])), ['accepted']);
    const { key_id: appKey, team_id: appSecret, p8: certificate } = simulator.facts;
    const token = { ...account, appKey, appSecret, certificate, version: 3 };
    assert.deepEqual(kindsOf(await send(token, ['live-3'])), ['accepted']);
  });
});

describe('locked-out account', () => {
  test('has a certificate for the other environment, which is also rejected when it is entered', async () => {
    const exported = await createP12('?environment=sandbox');
    assert.throws(() => accountFromP12(exported, 1), Problem);
    const account = { ...accountFromP12(exported, 0), environment: 1 as const };
    assert.deepEqual(await send(account, ['live-1']), lockedOut('BadCertificateEnvironment'));
  });

  test('has a certificate for an unknown app', async () => {
    const account = accountFromP12(await createP12('?topic=com.example.unknown'), 1);
    assert.deepEqual(await send(account, ['live-1']), lockedOut('BadCertificate'));
  });

  test('has a certificate from another authority', async () => {
    await using another = await startSimulator();
    const account = accountFromP12(await readControl<{ p12: string; passphrase: string }>(another, '/p12'), 1);
    assert.deepEqual(await send(account, ['live-1']), lockedOut('BadCertificate'));
  });

  test('has a topic that its certificate does not contain', async () => {
    const account = { ...accountFromP12(await createP12(), 1), vendorAppId: 'com.example.other' };
    assert.deepEqual(await send(account, ['live-1']), lockedOut('TopicDisallowed'));
  });

  test('has an expired certificate, which is not sent to Apple', async () => {
    const expired = await createP12('?expired=1');
    assert.throws(() => accountFromP12(expired, 1), /expired on/);
    const inTwoYears = new Date(Date.now() + 730 * DAY_MS);
    const outcomes = await send(accountFromP12(await createP12(), 1), ['live-late'], inTwoYears);
    assert.deepEqual(outcomes, lockedOut('the stored credentials cannot be used'));
    assert.deepEqual((await readControl<{ arrived: unknown[] }>(simulator, '/arrived?token=live-late')).arrived, []);
  });

  test('has a stored key that is damaged or missing', async () => {
    const account = accountFromP12(await createP12(), 1);
    const [certificate = '', key = ''] = account.certificate.split(/(?=-----BEGIN PRIVATE KEY-----)/);
    for (const damaged of [certificate, `${certificate}${key.replace('MII', 'MMM')}`]) {
      const outcomes = await send({ ...account, certificate: damaged }, ['live-1']);
      assert.deepEqual(outcomes, lockedOut('the stored credentials cannot be used'));
    }
  });
});
