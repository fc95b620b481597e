import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import type { QuotaUsage } from '#src/domain/vendor-account/quota-usage.ts';
import { deleteOldQuotaUsage, saveQuotaUsage } from '#src/storage/accounts/quota-usage.ts';
import { markQuotaExhausted } from '#src/storage/accounts/quotas.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import { nextBeijingMidnight } from '#src/vendors/translate/beijing-midnight.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

interface Channel {
  readonly provider: number;
  readonly environment: number;
  readonly usage: readonly { readonly class: string; readonly accepted: number }[];
  readonly resets_at: number | null;
}

const vendorNames = ['vivo', 'flyme', 'fcm'] as const;
const operational = { title: 'Ding', body: 'dong', vivo: { classification: 0 } };
const system = { title: 'Ding', body: 'dong', vivo: { classification: 1 } };
/** Longer than the duration of the tests, which use the numbers of one day. */
const TEST_MS_MAX = 60_000;
/** A worker saves devices after a second or, if they are accepted after a write, after a minute. */
const SAVED_SECONDS_MAX = 75;

let vendors: VendorSimulators;
let carillon: Carillon;
let ada: TestUser;
before(async () => {
  const msToMidnight = nextBeijingMidnight(new Date()).getTime() - Date.now();
  if (msToMidnight < TEST_MS_MAX) await sleep(msToMidnight);
  vendors = await startVendorSimulators();
  carillon = await startCarillon({ gateways: 0, workers: 1, settings: vendors.settings });
  ada = await carillon.createUser('ada');
  for (const vendor of vendorNames) {
    const body = { provider: providerByVendor[vendor], ...vendors.factsOf(vendor).certificate, name: vendor };
    assert.equal((await carillon.post('/admin/certificate/save', body)).code, 200);
  }
});
after(async () => {
  await carillon[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});

let phones = 0;
async function newPhones(vendor: VendorName, count: number, kind = 'live'): Promise<Login[]> {
  const logins: Login[] = [];
  while (logins.length < count) {
    const login = await carillon.logIn(ada, `phone-${++phones}`);
    const binding = { provider: providerByVendor[vendor], token: `${kind}-${vendor}-${phones}` };
    await carillon.post('/device/bind', binding, { token: login.token });
    logins.push(login);
  }
  return logins;
}

/** Sends a notification, and waits until the counters are `channel: [target, sent, received]`. */
async function notify(
  logins: readonly Login[],
  message: object,
  expected: Record<string, [number, number, number]>,
): Promise<void> {
  const taskId = await carillon.notify({ push_token: logins.map(({ push_token }) => push_token) }, message, {
    distribution_strategy: 'ospush_only',
  });
  await eventually(async () => assert.deepEqual(await carillon.counters(taskId), expected));
}

/** Returns the accepted devices by vendor and class. */
async function usage(): Promise<Record<string, Record<string, number>>> {
  const { data } = await carillon.post<Channel[]>('/admin/channel/list', {});
  const midnight = nextBeijingMidnight(new Date()).getTime();
  return Object.fromEntries(
    vendorNames.map((vendor) => {
      const isIt = ({ provider, environment }: Channel) => provider === providerByVendor[vendor] && environment === 1;
      const { usage: classes, resets_at } = data.find(isIt) as Channel;
      assert.equal(resets_at, vendor === 'fcm' ? null : midnight, vendor);
      return [vendor, Object.fromEntries(classes.map((row) => [row.class, row.accepted]))];
    }),
  );
}

async function stopWorkers(): Promise<void> {
  for (const worker of carillon.workers.splice(0)) assert.equal(await worker.stop(), 0);
}

const storedRows = () =>
  carillon.storage.home.query<QuotaUsage>(
    `select app_id as "appId", channel, environment, class, resets_at as "resetsAt", counter, accepted::int from quota_usage`,
  );
const moveDaysBack = (days: number) =>
  carillon.storage.home.query("update quota_usage set resets_at = resets_at - $1 * interval '1 day'", [days]);

test('the usage of a daily quota is zero before the first notification', async () => {
  assert.deepEqual(await usage(), { vivo: { operational: 0, system: 0 }, flyme: { '': 0 }, fcm: {} });
});

test('the usage contains the devices that the vendor accepted, by message class, while the worker runs', async () => {
  await notify(await newPhones('vivo', 3), operational, { vivo: [3, 3, 0] });
  const expected = { vivo: { operational: 3, system: 0 }, flyme: { '': 0 }, fcm: {} };
  await eventually(async () => assert.deepEqual(await usage(), expected), SAVED_SECONDS_MAX);
});

test('the usage is complete after a worker has stopped, without devices that the vendor rejected', async () => {
  await notify(await newPhones('vivo', 2), system, { vivo: [2, 2, 0] });
  const meizuPhones = [...(await newPhones('flyme', 4)), ...(await newPhones('flyme', 1, 'dead'))];
  await notify(meizuPhones, operational, { flyme: [5, 4, 0] });
  await notify(await newPhones('fcm', 1), operational, { fcm: [1, 1, 0] });
  await stopWorkers();
  assert.deepEqual(await usage(), { vivo: { operational: 3, system: 2 }, flyme: { '': 4 }, fcm: {} });
});

test('the usage is the sum of all workers, before and after a restart', async () => {
  await Promise.all([carillon.start('worker'), carillon.start('worker')]);
  const vivoPhones = await newPhones('vivo', 6);
  await Promise.all(vivoPhones.map((phone) => notify([phone], system, { vivo: [1, 1, 0] })));
  await notify(await newPhones('flyme', 1), operational, { flyme: [1, 1, 0] });
  await stopWorkers();
  assert.deepEqual(await usage(), { vivo: { operational: 3, system: 8 }, flyme: { '': 5 }, fcm: {} });
});

test('sending does not wait for a write, and a failed write is repeated', async () => {
  await carillon.start('worker');
  const [first, second] = (await newPhones('vivo', 2)) as [Login, Login];
  const { home } = carillon.storage;
  await inTransaction(home, async (tx) => {
    await tx.query('lock table quota_usage in share mode');
    await notify([first], system, { vivo: [1, 1, 0] });
    const [{ pid }] = await eventually(async () => {
      const waiting = await home.query<{ pid: number }>(
        `select pid from pg_locks where relation = 'quota_usage'::regclass and not granted`,
      );
      assert.equal(waiting.length, 1);
      return waiting as [{ pid: number }];
    });
    await notify([second], system, { vivo: [1, 1, 0] });
    await home.query('select pg_terminate_backend($1)', [pid]);
    await eventually(() => assert.ok(carillon.logLines.some((line) => line.includes('quota-usage-not-saved'))));
  });
  await stopWorkers();
  assert.deepEqual(await usage(), { vivo: { operational: 3, system: 10 }, flyme: { '': 5 }, fcm: {} });
});

test('a repeated or late write adds nothing', async () => {
  const rows = await storedRows();
  assert.ok(rows.length >= 4);
  await saveQuotaUsage(carillon.storage.home, rows);
  await saveQuotaUsage(
    carillon.storage.home,
    rows.map((row) => ({ ...row, accepted: 1 })),
  );
  assert.deepEqual(await usage(), { vivo: { operational: 3, system: 10 }, flyme: { '': 5 }, fcm: {} });
});

interface Preview {
  readonly channel: string;
  readonly environment: number | null;
  readonly quota_used: number | null;
  readonly quota_left: number | null;
}

/** Returns `[quota_used, quota_left]` by channel and environment. */
async function previewedQuotas(message: object, headers?: Readonly<Record<string, string>>) {
  const request = { audience: { user_id: [ada.userId] }, message, setting: { ospush_sequence: ['ups', 'fcm'] } };
  const { data } = await carillon.post<{ previews: Preview[] }>('/push/validate', request, headers);
  return Object.fromEntries(
    data.previews.map((preview) => [
      `${preview.channel} ${preview.environment}`,
      [preview.quota_used, preview.quota_left],
    ]),
  );
}

test('a preview contains the usage of its class, and the rest of a limit for test messages', async () => {
  const { home } = carillon.storage;
  const [phone] = (await newPhones('vivo', 1)) as [Login];
  const resetsAt = nextBeijingMidnight(new Date());
  const common = { appId: carillon.appId, environment: 0, resetsAt, counter: randomUUID() } as const;
  await saveQuotaUsage(home, [
    { ...common, channel: 'huawei', class: '', accepted: 120 },
    { ...common, channel: 'vivo', class: 'operational', accepted: 101 },
  ]);
  for (const vendor of ['huawei', 'vivo'] as const) {
    const provider = providerByVendor[vendor];
    const certificate = { provider, ...vendors.factsOf(vendor).certificate, name: vendor, environment: 0 };
    assert.equal((await carillon.post('/admin/certificate/save', certificate)).code, 200);
    const login = await carillon.logIn(ada, `test-${vendor}`);
    const binding = { provider, token: `live-${vendor}-test`, environment: 0 };
    await carillon.post('/device/bind', binding, { token: login.token });
  }
  const others = { 'nativepush null': [null, null], 'flyme 1': [5, null], 'fcm 1': [null, null] };
  assert.deepEqual(await previewedQuotas(operational), {
    ...others,
    'huawei 0': [120, 380],
    'vivo 0': [101, 0],
    'vivo 1': [3, null],
  });
  assert.deepEqual(await previewedQuotas(system), {
    ...others,
    'huawei 0': [120, 380],
    'vivo 0': [0, 10_000],
    'vivo 1': [10, null],
  });
  const account = { appId: carillon.appId, channel: 'flyme', environment: 1 } as const;
  await markQuotaExhausted(home, account, '', resetsAt);
  assert.deepEqual((await previewedQuotas(operational))['flyme 1'], [5, 0]);
  assert.deepEqual((await previewedQuotas(operational, { token: phone.token }))['vivo 1'], [null, null]);
});

test('a preview does not need the usage', async () => {
  const { home } = carillon.storage;
  await home.query('alter table quota_usage rename to hidden');
  try {
    assert.deepEqual((await previewedQuotas(operational))['vivo 1'], [null, null]);
    await eventually(() => assert.ok(carillon.logLines.some((line) => line.includes('quota-usage-not-read'))));
  } finally {
    await home.query('alter table hidden rename to quota_usage');
  }
});

test('the usage is zero after midnight in Beijing, and housekeeping deletes it a day later', async () => {
  await moveDaysBack(1);
  assert.deepEqual(await usage(), { vivo: { operational: 0, system: 0 }, flyme: { '': 0 }, fcm: {} });
  assert.equal(await deleteOldQuotaUsage(carillon.storage.home, 100), 0);
  await moveDaysBack(1);
  const { length } = await storedRows();
  assert.equal(await deleteOldQuotaUsage(carillon.storage.home, 2), 2);
  assert.equal(await deleteOldQuotaUsage(carillon.storage.home, 100), length - 2);
});

test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
