import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerByVendor, type VendorName, vendorNames } from '#src/domain/channel.ts';
import { SUSPECT_USERS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { findTrippedBreakers } from '#src/storage/accounts/breakers.ts';
import { subscriptionOf } from '../../simulators/webpush/subscriptions.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { slicesOf, waitUntilFinished } from '../support/ledger.ts';

const BY_VENDOR = { distribution_strategy: 'ospush_only' };
const BAD_PARAMETER = 10002;
const MESSAGE = { body: 'ding' };
const PROBE_SECONDS = 1;

describe('vendor tokens that users invent', () => {
  let carillon: Carillon;

  before(async () => {
    const settings = { CARILLON_BREAKER_PROBE_SECONDS: `${PROBE_SECONDS}` };
    carillon = await startCarillon({ gateways: 0, workers: 1, settings });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  interface Phone extends Login {
    readonly userId: bigint;
    readonly apnsToken: string;
  }

  let phones = 0;
  /** Adds a phone of a new user, or of an existing one. Apple does not know `foreign-` tokens. */
  async function newPhone(prefix: 'live' | 'foreign', owner?: bigint): Promise<Phone> {
    const { appId, storage } = carillon;
    const userId = owner ?? (await addUser(storage.home, appId));
    const apnsToken = `${prefix}-invented-${++phones}`;
    const device = { appId, userId, deviceGuid: `phone-${phones}`, apnsToken };
    return { ...(await addDevice(storage, device)), userId, apnsToken };
  }
  const newPhones = (count: number, prefix: 'live' | 'foreign', owner?: bigint) =>
    Promise.all(Array.from({ length: count }, () => newPhone(prefix, owner)));

  const notify = (recipients: readonly Phone[], token = carillon.adminToken) =>
    carillon.notify({ push_token: recipients.map(({ push_token }) => push_token) }, MESSAGE, BY_VENDOR, { token });
  /** Notifies a phone of the caller, as the caller. */
  const notifySelf = (phone: Phone) => notify([phone], phone.token);

  const breaker = async () => (await findTrippedBreakers(carillon.storage.home, carillon.appId))[0];
  async function assertDelivered(taskId: bigint, count: number, secondsMax?: number): Promise<void> {
    await waitUntilFinished(carillon.storage, taskId, secondsMax);
    assert.deepEqual(await carillon.counters(taskId), { apns: [count, count, 0] });
  }
  const waitUntilTried = (taskId: bigint) =>
    eventually(async () => {
      const slices = await slicesOf(carillon.storage, taskId);
      assert.ok(slices.length > 0 && slices.every(({ state, attempts }) => state !== 'leased' && attempts > 0));
    });
  const setFault = async (fault?: object) => {
    const url = `${carillon.apns.facts.control_url}/faults`;
    const response = await fetch(url, fault ? { method: 'POST', body: JSON.stringify(fault) } : { method: 'DELETE' });
    assert.ok(response.ok);
  };

  test('do not pause the channel if users send notifications to their own phones', async () => {
    for (const phone of await newPhones(SUSPECT_USERS_MAX, 'foreign')) await waitUntilTried(await notifySelf(phone));
    assert.equal(await breaker(), undefined);
    const [live] = await newPhones(1, 'live');
    await assertDelivered(await notify([live as Phone]), 1);
  });

  test('do not pause the channel if they all belong to one user', async () => {
    const userId = await addUser(carillon.storage.home, carillon.appId);
    const invented = await newPhones(SUSPECT_USERS_MAX + 5, 'foreign', userId);
    await waitUntilFinished(carillon.storage, await notify(invented));
    assert.equal(await breaker(), undefined);
  });

  test('do not keep the channel paused after the vendor has accepted the credentials again', async () => {
    const [invented] = (await newPhones(1, 'foreign')) as [Phone];
    await setFault({ kind: 'wrong-credentials', duration_ms: 60_000 });
    const taskId = await notifySelf(invented);
    await eventually(async () => assert.equal((await breaker())?.cause, 'locked-out'));
    await setFault();
    // No phone with a valid token waits for a probe.
    await waitUntilFinished(carillon.storage, taskId, 60);
    await eventually(async () => assert.equal(await breaker(), undefined));
  });

  test('pause the channel if they belong to many users, until the vendor accepts a token', async () => {
    const foreign = await newPhones(SUSPECT_USERS_MAX, 'foreign');
    await waitUntilTried(await notify(foreign));
    await eventually(async () => assert.equal((await breaker())?.cause, 'locked-out'));
    const [live, ...attacking] = await newPhones(1, 'live').then(async (good) => [
      ...good,
      ...(await newPhones(3, 'foreign')),
    ]);
    for (const phone of attacking) await notifySelf(phone);
    await assertDelivered(await notify([live as Phone]), 1, 60);
    await eventually(async () => assert.equal(await breaker(), undefined));
  });

  describe('with a format that the vendor does not use', () => {
    let phone: Phone;
    before(async () => {
      phone = await newPhone('live');
    });
    const bind = (vendor: VendorName, token: string) =>
      carillon.tryPost('/device/bind', { provider: providerByVendor[vendor], token }, { token: phone.token });

    for (const vendor of vendorNames)
      test(`are rejected: ${vendor}`, async () => {
        for (const invalid of ['a,b', 'a b', ' a', 'a\n', 'a\u0007', 'é', 'a'.repeat(4_096)]) {
          if (invalid.length > 1_000 && vendor === 'fcm') continue; // Google publishes no maximum length.
          const { code, message } = await bind(vendor, invalid);
          assert.equal(code, BAD_PARAMETER, `${vendor} ${JSON.stringify(invalid.slice(0, 10))}`);
          assert.match(String(message), /token.*characters.*unchanged/);
        }
      });

    /** Tokens in the formats of the vendors, with random content. */
    const valid: Readonly<Record<VendorName, readonly string[]>> = {
      apns: ['b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c', 'AB'.repeat(100)],
      fcm: [`eX4mple_Id-0123456789A:APA91b${'Hh_-9'.repeat(27)}`, 'cX4mple_Id-0123456789A'],
      webpush: [subscriptionOf('x'), subscriptionOf('x', 'fcm.googleapis.com')],
      huawei: [`IQAAAACy0${'aZ-_9'.repeat(20)}`, `0${'1a'.repeat(70)}`],
      harmony: [`MAMzLgAAAAAA.${'aZ9'.repeat(30)}_-`, 'AQAAAACy0Rz/+='],
      honor: [`BAEAAAAAB.jlyp2BnK_-${'aZ9'.repeat(30)}`],
      xiaomi: [`d//igwEhgBGCI2TG6lWqlK${'+/'.repeat(20)}==`],
      oppo: [`OPPO_CN_${'0a'.repeat(16)}`, `CN_${'0a'.repeat(16)}`, '0a'.repeat(16)],
      vivo: ['15513410784181118114099'],
      flyme: ['RA50c6348036344485d01776773577c64740465480a6b', 'S5Q4b7266d794a7f7e6f0370504047f05'],
    };
    for (const vendor of vendorNames)
      test(`do not include real tokens: ${vendor}`, async () => {
        for (const token of valid[vendor]) assert.equal((await bind(vendor, token)).code, 200, token);
      });
  });
});
