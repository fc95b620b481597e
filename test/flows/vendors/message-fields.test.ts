import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

const VENDORS = ['fcm', 'flyme', 'huawei', 'vivo', 'xiaomi'] as const;
const APP_NAME = 'bells';
const IMAGE = 'https://10.0.0.1/a.png';

let vendors: VendorSimulators;
let carillon: Carillon;
let ada: TestUser;

before(async () => {
  vendors = await startVendorSimulators();
  carillon = await startCarillon({ gateways: 0, settings: vendors.settings });
  ada = await carillon.createUser('ada');
  for (const vendor of VENDORS) {
    const body = { provider: providerByVendor[vendor], ...vendors.factsOf(vendor).certificate, name: vendor };
    assert.equal((await carillon.post('/admin/certificate/save', body)).code, 200);
  }
});
after(async () => {
  await carillon[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});

let phones = 0;
async function newPhone(...at: readonly VendorName[]): Promise<Login> {
  const login = await carillon.logIn(ada, `phone-${++phones}`);
  for (const vendor of at) {
    const body = { provider: providerByVendor[vendor], token: `live-${vendor}-${phones}` };
    await carillon.post('/device/bind', body, { token: login.token });
  }
  return login;
}

const notify = ({ push_token }: Login, message: object) =>
  carillon.notify({ push_token: [push_token] }, message, {
    distribution_strategy: 'ospush_only',
    ospush_sequence: ['ups', 'fcm'],
  });

const counts = (taskId: bigint, expected: Record<string, [number, number, number]>) =>
  eventually(async () => assert.deepEqual(await carillon.counters(taskId), expected));

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

for (const [vendor, seconds] of [
  ['flyme', 30 * 60],
  ['vivo', 45],
] as const)
  test(`${vendor} is skipped if show_end_time is nearer than its shortest lifetime`, async () => {
    const phone = await newPhone(vendor, 'fcm');
    const tooSoon = await notify(phone, { title: 'Ding', body: 'dong', show_end_time: inSeconds(seconds) });
    await counts(tooSoon, { [vendor]: [1, 0, 0], fcm: [1, 1, 0] });
    const later = await notify(phone, { title: 'Ding', body: 'dong', show_end_time: inSeconds(seconds + 2 * 3_600) });
    await eventually(async () => assert.equal((await carillon.counters(later))[vendor]?.[0], 1));
  });

for (const vendor of ['flyme', 'huawei', 'xiaomi'] as const)
  test(`${vendor} accepts an image without a text, with the name of the app as its title`, async () => {
    const phone = await newPhone(vendor);
    const message = { type: 'image', attachment_url: IMAGE };
    const { data } = await carillon.post<{ cuts: { text: string }[] }>('/push/validate', {
      audience: { push_token: [phone.push_token] },
      message,
      distribution_strategy: 'ospush_only',
      ospush_sequence: ['ups'],
    });
    assert.ok(
      data.cuts.every(({ text }) => !text.includes('rejected')),
      JSON.stringify(data),
    );
    await counts(await notify(phone, message), { [vendor]: [1, 1, 0] });
    const token = `live-${vendor}-${phones}`;
    const { arrived } = await vendors.get<{ arrived: { token: string }[] }>(vendor, '/arrived?limit=20000');
    const notification = arrived.find((one) => one.token === token);
    assert.match(JSON.stringify(notification), new RegExp(`"title":"${APP_NAME}"`));
  });
