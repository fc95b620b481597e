import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type VendorName, vendorNames } from '#src/domain/channel.ts';
import type { Outcome } from '#src/domain/outcome.ts';
import { SUSPECT_USERS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { checkAccount } from '#src/vendors/check-account.ts';
import { type VendorSend, VendorSender } from '#src/vendors/sender.ts';
import type { VendorAccount } from '#src/vendors/vendor.ts';
import { SuspectTokens } from '#src/worker/accounts/suspect-tokens.ts';
import { simulatorToken } from '../../scripts/dev/simulator-token.ts';
import { startVendorSimulators, type VendorSimulators } from '../support/vendor-simulators.ts';

/** Tests docs/vendors/mismatches.md: credentials and tokens of another app, environment or region. */

let vendors: VendorSimulators;
let sender: VendorSender;
before(async () => {
  vendors = await startVendorSimulators();
  sender = new VendorSender(settings());
});
after(async () => {
  sender.close();
  await vendors[Symbol.asyncDispose]();
});

const settings = () => ({
  CARILLON_VENDOR_DEADLINE_SECONDS: 10,
  CARILLON_VENDOR_PROXY_URL: '',
  CARILLON_VENDOR_PROXY_FOR: '',
  CARILLON_WEBPUSH_HOSTS: '',
  ...vendors.settings,
});

let tasks = 0n;
function send(name: VendorName, account: VendorAccount, tokens: readonly string[]): Promise<Outcome[]> {
  const taskId = ++tasks;
  const attempts = tokens.map(
    (token, i): VendorSend => ({
      token: simulatorToken(name, token),
      notification: {
        taskId,
        deviceId: BigInt(i) * 64n,
        reference: `${taskId}.2.3`,
        message: { type: 'text', badge: '+1', body: 'ding' },
        badge: 1,
        notAfter: new Date(Date.now() + 60_000),
      },
    }),
  );
  return sender.send(name, account, attempts, new Date());
}

describe('mismatched credentials are rejected with advice when they are saved, and reach no phone', () => {
  type Change = Partial<VendorAccount>;
  const rows: readonly (readonly [VendorName, string, Change | (() => Promise<Change>), RegExp])[] = [
    ['apns', "another app's bundle ID", { vendorAppId: 'com.example.other' }, /TopicDisallowed: .*app_id/],
    ['apns', 'a key for the other environment', sandboxKey, /BadEnvironmentKeyI[dn]\w*: .*other environment/],
    ['fcm', 'a project that does not exist', { vendorAppId: 'another-project' }, /NOT_FOUND: .*project/],
    ['fcm', 'a project of another account', serviceAccountOfOtherProject, /IAM_PERMISSION_DENIED: .*project/],
    ['huawei', "another app's App ID", { vendorAppId: '100000009' }, /1101.*: check that app_id/],
    ['huawei', "another app's project", { appKey: '736430079244000009' }, /80200001: .*project ID/],
    ['harmony', "another project's ID", { vendorAppId: '736430079244000109' }, /80300002: .*project ID/],
    ['harmony', 'a deleted key', deletedHarmonyKey, /80200001: .*service-account file/],
    ['honor', "another app's App ID", { vendorAppId: '104400009' }, /80200001: .*app_id, Client ID/],
    ['xiaomi', "another app's package", { certificate: '{"package_names":["com.other"]}' }, /22022: package_names/],
    ['oppo', "another app's AppKey", { appKey: 'another' }, /14: .*AppKey/],
    ['vivo', "another app's AppID", { vendorAppId: '999' }, /10205: .*AppID/],
    ['flyme', "another app's AppId", { vendorAppId: '999' }, /110000: .*AppId/],
    ['flyme', "another app's package", { certificate: '{"package_names":["com.other"]}' }, /110031: package_names/],
  ];
  for (const [name, what, change, sentence] of rows)
    test(`${name}: ${what}`, async () => {
      const account = vendors.newAccount(name, typeof change === 'function' ? await change() : change);
      const check = await checkAccount(settings(), name, account, new Date());
      assert.equal(check.kind, 'refused');
      assert.match('reason' in check ? check.reason : '', sentence);
      const token = `live-${name}-${++tasks}`;
      const [outcome] = await send(name, account, [token]);
      assert.equal(outcome?.kind, 'locked-out', 'if they are saved anyway, the account is locked out');
      assert.deepEqual(await vendors.arrivedTokens(name, token), []);
    });
});

describe('tokens of another app, environment or region', () => {
  for (const name of vendorNames) {
    const foreign = (n: number) => Array.from({ length: n }, (_, i) => `foreign-${name}-${++tasks}-${i}`);

    test(`${name}: many foreign tokens do not remove any binding, and the reason contains advice`, async () => {
      const account = vendors.newAccount(name);
      const tokens = foreign(SUSPECT_USERS_MAX + 5);
      const suspectTokens = new SuspectTokens<string>((token) => token);
      const accountKey = { appId: account.appId, channel: name, environment: account.environment, version: 1 };
      const { outcomes, dead } = suspectTokens.evaluate(accountKey, tokens, await send(name, account, tokens));
      assert.deepEqual(dead, []);
      for (const outcome of outcomes) {
        assert.ok(outcome.kind === 'locked-out');
        assert.match(outcome.reason, /app_id, package and environment.*region/);
      }
      assert.deepEqual(await vendors.arrivedTokens(name, tokens[0] as string), []);
    });

    test(`${name}: a single foreign token stays bound until the vendor accepts another token`, async () => {
      const account = vendors.newAccount(name);
      const accountKey = { appId: account.appId, channel: name, environment: account.environment, version: 1 };
      const suspectTokens = new SuspectTokens<string>((token) => token);
      const [stray] = foreign(1) as [string];
      assert.deepEqual(suspectTokens.evaluate(accountKey, [stray], await send(name, account, [stray])).dead, []);
      const live = [`live-${name}-${++tasks}`];
      const { dead } = suspectTokens.evaluate(accountKey, live, await send(name, account, live));
      assert.deepEqual(
        dead.map(({ target }) => target),
        [stray],
      );
    });
  }

  test('apns: a token for the other environment is suspect', async () => {
    const token = 'ab'.repeat(32);
    const topic = vendors.factsOf('apns').certificate.app_id;
    await vendors.post('apns', '/devices', { token, environment: 'sandbox', topic });
    assert.deepEqual(await send('apns', vendors.newAccount('apns'), [token]), [
      { kind: 'token-dead', reason: 'BadDeviceToken', suspect: true },
    ]);
    assert.equal((await send('apns', vendors.newAccount('apns', { environment: 0 }), [token]))[0]?.kind, 'accepted');
  });

  test('vivo: a phone that is not a test device keeps its token in environment 0', async () => {
    const outcomes = await send('vivo', vendors.newAccount('vivo', { environment: 0 }), ['stray-1', 'live-9']);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['refused', 'accepted'],
    );
  });

  test('oppo: a token from another region is not sent to the mainland API and is kept', async () => {
    const token = `OPPO_IN_${'0a'.repeat(16)}`;
    const outcomes = await send('oppo', vendors.newAccount('oppo'), [token, 'live-9']);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['refused', 'accepted'],
    );
    assert.deepEqual(await vendors.arrivedTokens('oppo', token), []);
  });
});

/** Registers a key that Apple accepts only in the sandbox. */
async function sandboxKey(): Promise<Partial<VendorAccount>> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { app_id: topic, app_secret: team_id } = vendors.factsOf('apns').certificate;
  const key_id = 'SANDBOXKEY';
  const public_key_pem = publicKey.export({ type: 'spki', format: 'pem' });
  await vendors.post('apns', '/keys', { key_id, team_id, public_key_pem, topics: [topic], environments: ['sandbox'] });
  return { appKey: key_id, certificate: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Returns a service account whose key Huawei does not know. */
async function deletedHarmonyKey(): Promise<Partial<VendorAccount>> {
  const certificate = JSON.parse(vendors.factsOf('harmony').certificate.certificate);
  return { certificate: JSON.stringify({ ...certificate, key_id: 'deleted' }) };
}

async function serviceAccountOfOtherProject(): Promise<Partial<VendorAccount>> {
  await vendors.post('fcm', '/accounts', { project_id: 'somebody-elses' });
  return { vendorAppId: 'somebody-elses' };
}
