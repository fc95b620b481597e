import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerByVendor } from '#src/domain/channel.ts';
import { SUSPECT_USERS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { hashVendorToken } from '#src/storage/devices/bindings.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

const BY_VENDOR = { distribution_strategy: 'ospush_only' };
/** The phones of a notification. Each of them belongs to another user. */
const PHONES = 15;

/** OPPO accepts any token, and reports a dead token later in a receipt. The simulator does this for `gone-…` tokens. */
describe('tokens that OPPO reports as dead in receipts', () => {
  let vendors: VendorSimulators;
  let carillon: Carillon;
  let gone: Phone[];
  let live: Phone;

  before(async () => {
    vendors = await startVendorSimulators();
    carillon = await startCarillon({ gateways: 0, workers: 1, settings: vendors.settings });
    for (const environment of [0, 1]) await carillon.post('/admin/certificate/delete', { provider: 1, environment });
    const provider = providerByVendor.oppo;
    await carillon.post('/admin/certificate/save', { provider, ...vendors.factsOf('oppo').certificate, name: 'OPPO' });
    const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', { provider });
    await vendors.post('oppo', '/receipts', { url: `${carillon.apis[0]?.apiUrl}${data.path}`, delay_ms: 20 });
    gone = await Promise.all(Array.from({ length: 2 * PHONES }, () => newPhone('gone')));
    live = await newPhone('live');
  });
  after(async () => {
    await carillon[Symbol.asyncDispose]();
    await vendors[Symbol.asyncDispose]();
  });

  type Phone = Login & { readonly vendorToken: string };
  let phones = 0;
  async function newPhone(prefix: string): Promise<Phone> {
    const { appId, storage } = carillon;
    const number = ++phones;
    const userId = await addUser(storage.home, appId);
    const login = await addDevice(storage, { appId, userId, deviceGuid: `phone-${number}` });
    const vendorToken = `${prefix}-oppo-${number}`;
    const body = { provider: providerByVendor.oppo, token: vendorToken };
    await carillon.post('/device/bind', body, { token: login.token });
    return { ...login, vendorToken };
  }

  const notify = (recipients: readonly Phone[]) =>
    carillon.notify({ push_token: recipients.map(({ push_token }) => push_token) }, { body: 'ding' }, BY_VENDOR);

  async function bound(): Promise<number> {
    const hashes = gone.map(({ vendorToken }) => hashVendorToken(vendorToken, 'apns'));
    let count = 0;
    for (const db of carillon.storage.shards.all) {
      const [row] = await db.query<{ count: bigint }>(
        'select count(*) as count from bindings where token_hash = any($1) and ended_at is null',
        [hashes],
      );
      count += Number(row?.count);
    }
    return count;
  }

  test('stay bound if many are reported and no notification was delivered, and an error is logged', async () => {
    assert.ok(PHONES < SUSPECT_USERS_MAX, 'the users of one notification are below the limit');
    // Until the worker has read the callback URL, references have no key and receipts do not count.
    await eventually(async () => {
      for (const recipients of [gone.slice(0, PHONES), gone.slice(PHONES)]) {
        const taskId = await notify(recipients);
        await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { oppo: [PHONES, PHONES, 0] }));
      }
      assert.ok(carillon.errorLines.some((line) => line.includes('receipts-suspect') && line.includes('"oppo"')));
    });
    assert.equal(await bound(), gone.length);
  });

  test('are unbound after a notification was delivered to another phone of the app', async () => {
    const deliverToLive = async () => {
      const taskId = await notify([live]);
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { oppo: [1, 1, 1] }));
    };
    await deliverToLive();
    await notify(gone.slice(0, 3));
    // A receipt of a delivery can overtake the receipts of the dead tokens.
    await eventually(async () => {
      await deliverToLive();
      assert.ok((await bound()) <= gone.length - 3);
    });
  });
});
