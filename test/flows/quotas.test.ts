import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { providerByVendor, type Vendor } from '#src/domain/channel.ts';
import { takePermits } from '#src/truth/rates.ts';
import { type Carillon, type Login, type Person, startCarillon } from '../support/carillon.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { finishes } from '../support/ledger.ts';
import { startVendors, type Vendors } from '../support/vendors.ts';

interface Channel {
  readonly provider: number;
  readonly environment: number;
  readonly spent: readonly { readonly class: string; readonly until: number }[];
  readonly per_second: number | null;
  readonly throttled_at: number | null;
}

const HOUR_MS = 3_600_000;
const BEIJING_MS = 8 * HOUR_MS;

let vendors: Vendors;
let carillon: Carillon;
let ada: Person;
before(async () => {
  vendors = await startVendors();
  carillon = await startCarillon({ gateways: 0, workers: 2, settings: vendors.settings });
  ada = await carillon.addPerson('ada');
  for (const vendor of ['vivo', 'fcm', 'honor', 'flyme'] as const) {
    const body = { provider: providerByVendor[vendor], ...vendors.of(vendor).certificate, name: vendor };
    await carillon.post('/admin/certificate/save', body);
  }
});
after(async () => {
  await carillon[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});

let phones = 0;
async function newPhone(...at: readonly Vendor[]): Promise<Login> {
  const login = await carillon.logIn(ada, `phone-${++phones}`);
  for (const vendor of at) await bind(login, vendor, `live-${vendor}-${phones}`);
  return login;
}

const bind = ({ token: access }: Login, vendor: Vendor, token: string) =>
  carillon.post('/device/bind', { provider: providerByVendor[vendor], token }, { token: access });

const notify = (phone: Login, message: object = { title: 'Ding', body: 'dong' }) =>
  carillon.notify({ push_token: [phone.push_token] }, message, {
    distribution_strategy: 'ospush_only',
    ospush_sequence: ['vivo', 'meizu', 'fcm'],
  });

const counts = (taskId: bigint, expected: Record<string, [number, number, number]>) =>
  eventually(async () => assert.deepEqual(await carillon.counters(taskId), expected));

async function channel(vendor: Vendor): Promise<Channel> {
  const { data } = await carillon.post<Channel[]>('/admin/channel/list', {});
  return data.find(({ provider }) => provider === providerByVendor[vendor]) as Channel;
}

async function requests(vendor: Vendor): Promise<number> {
  const { send } = await vendors.get<{ send: { requests: Record<string, number> } }>(vendor, '/counts');
  return Object.values(send.requests).reduce((sum, count) => sum + count, 0);
}

describe('a daily allowance that is spent', () => {
  test('is not called on again; notifications go on to the next vendor, and operators see until when', async () => {
    const phone = await newPhone('vivo', 'fcm');
    const system = { title: 'Ding', body: 'dong', vivo: { classification: 1 } };
    await counts(await notify(phone, system), { vivo: [1, 1, 0] });
    await vendors.post('vivo', '/faults', { kind: 'quota', requests: 1 });
    await counts(await notify(phone, system), { vivo: [1, 0, 0], fcm: [1, 1, 0] });
    const { spent } = await eventually(async () => {
      const found = await channel('vivo');
      assert.equal(found.spent.length, 1);
      return found;
    });
    const until = new Date(Number(spent[0]?.until) + BEIJING_MS);
    assert.match(until.toISOString(), /T0[07]:00:00\.000Z$/, 'a new day begins, in Beijing');
    assert.ok(carillon.lines.some((line) => line.includes('quota-spent')));

    await sleep(1_000); // by then every worker knows what one of them was told
    const before = await requests('vivo');
    for (let i = 0; i < 3; i++) await counts(await notify(phone, system), { vivo: [1, 0, 0], fcm: [1, 1, 0] });
    assert.equal((await requests('vivo')) - before, 0, 'nobody was called');
  });

  test('is spent for its class of messages only', async () => {
    const { spent } = await channel('vivo');
    const phone = await newPhone('vivo', 'fcm');
    const other = spent[0]?.class === 'system' ? 0 : 1;
    const taskId = await notify(phone, { title: 'Ding', body: 'dong', vivo: { classification: other } });
    await finishes(carillon.truth, taskId);
    const { vivo } = await carillon.counters(taskId);
    // At night vivo takes no operational messages, which is an allowance of its own.
    assert.ok(vivo?.[1] === 1 || (await channel('vivo')).spent.length === 2);
  });
});

test('a phone that has had its share of the day is left to the next vendor, and the others go on', async () => {
  const capped = await newPhone('fcm');
  await bind(capped, 'flyme', 'capped-1');
  await counts(await notify(capped), { flyme: [1, 0, 0], fcm: [1, 1, 0] });
  const other = await newPhone('flyme', 'fcm');
  await counts(await notify(other), { flyme: [1, 1, 0] });
  assert.deepEqual((await channel('flyme')).spent, []);
});

describe('a rate', () => {
  const account = { appId: 'bells', channel: 'oppo', environment: 0 } as const;
  const take = (wanted: number, isPrompt = true) =>
    takePermits(carillon.truth.home, account, { wanted, limitPerSecond: 1_000, isPrompt });

  test('gives a second’s worth at most, leaves some to single notifications, and comes again', async () => {
    assert.equal((await take(300)).granted, 300);
    const rest = await take(10_000, false);
    assert.ok(rest.granted >= 500 && rest.granted <= 800, `${rest.granted}: a fifth is left`);
    assert.ok((await take(100)).granted === 100, 'to single ones');
    await eventually(async () => assert.ok((await take(100, false)).granted > 0));
  });

  test('is shared: many who take at once get no more than there is', async () => {
    await carillon.truth.home.query("update rates set permits = per_second, at = now() where channel = 'oppo'");
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(200)));
    const granted = taken.reduce((sum, one) => sum + one.granted, 0);
    assert.ok(granted >= 1_000 && granted < 3_000, `${granted}`);
  });

  test('is halved when the vendor finds it too much, for all workers, and nothing is lost', async () => {
    const phone = await newPhone('fcm');
    await counts(await notify(phone), { fcm: [1, 1, 0] });
    assert.equal((await channel('fcm')).per_second, 10_000);
    await vendors.post('fcm', '/faults', { kind: 'throttle', requests: 1, retry_after_seconds: 1 });
    const taskId = await notify(phone);
    await counts(taskId, { fcm: [1, 1, 0] });
    const { per_second, throttled_at } = await channel('fcm');
    assert.ok(Number(per_second) >= 5_000 && Number(per_second) < 6_000, `${per_second}`);
    assert.ok(throttled_at);
  });
});

test('the ledger keeps every law', () => checkLaws(carillon.truth));
