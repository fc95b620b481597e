import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { referenceOf } from '#src/domain/reference.ts';
import { SUSPECT_USERS_MAX } from '#src/domain/vendor-account/suspect-tokens.ts';
import { findTrippedBreakers } from '#src/storage/accounts/breakers.ts';
import { findCallbacks, openCallback } from '#src/storage/accounts/callbacks.ts';
import { hashVendorToken } from '#src/storage/devices/bindings.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

const testedVendors = ['apns', 'fcm', 'huawei', 'harmony', 'honor', 'oppo', 'xiaomi', 'vivo', 'flyme'] as const;
/** Vendors that do not support data-only messages. */
const withoutCommands: readonly VendorName[] = ['oppo', 'xiaomi', 'vivo', 'flyme'];
const BY_VENDOR = { distribution_strategy: 'ospush_only', ospush_sequence: ['huawei', 'ups', 'fcm'] };
const SIGNED_WITH = { user_name: 'bells', key: 'c2lnbmVkIHdpdGggdGhpcw==' };

let vendors: VendorSimulators;
let carillon: Carillon;
let ada: TestUser;
before(async () => {
  vendors = await startVendorSimulators();
  carillon = await startCarillon({
    gateways: 0,
    workers: 2,
    settings: { ...vendors.settings, CARILLON_BREAKER_PROBE_SECONDS: '1' },
  });
  ada = await carillon.createUser('ada');
  await carillon.post('/admin/app/update', { extra_counters: true });
  for (const environment of [0, 1]) await carillon.post('/admin/certificate/delete', { provider: 1, environment });
  for (const vendor of testedVendors) assert.equal((await saveCertificate(vendor)).code, 200);
});
after(async () => {
  await carillon[Symbol.asyncDispose]();
  await vendors[Symbol.asyncDispose]();
});

const saveCertificate = (vendor: VendorName, change: object = {}) =>
  carillon.tryPost<{ version: number }>('/admin/certificate/save', {
    provider: providerByVendor[vendor],
    ...vendors.factsOf(vendor).certificate,
    name: vendor,
    ...change,
  });

let phones = 0;
/** Adds a phone with a vendor token to user Ada. If she has too many phones, the oldest ones are logged out. */
async function newPhone(vendor: VendorName, prefix = 'live'): Promise<Login & { vendorToken: string }> {
  const login = await carillon.logIn(ada, `phone-${++phones}`);
  const vendorToken = `${prefix}-${vendor}-${phones}`;
  await bind(vendor, login, vendorToken);
  return { ...login, vendorToken };
}

const bind = (vendor: VendorName, { token }: Login, vendorToken: string) =>
  carillon.post('/device/bind', { provider: providerByVendor[vendor], token: vendorToken }, { token });

const notify = (phone: Login, message: object = { title: 'Ding', body: 'dong' }) =>
  carillon.notify({ push_token: [phone.push_token] }, message, BY_VENDOR);

const counts = (taskId: bigint, expected: Record<string, [number, number, number]>) =>
  eventually(async () => assert.deepEqual(await carillon.counters(taskId), expected));

/** Returns the state of the binding with a vendor token. */
async function binding(vendorToken: string): Promise<{ endedWhy: string | null; isEnded: boolean } | undefined> {
  const hash = hashVendorToken(vendorToken, 'apns');
  for (const db of carillon.storage.shards.all) {
    const [row] = await db.query<{ endedWhy: string | null; isEnded: boolean }>(
      'select ended_why as "endedWhy", ended_at is not null as "isEnded" from bindings where token_hash = $1',
      [hash],
    );
    if (row) return row;
  }
  return undefined;
}

for (const vendor of testedVendors)
  describe(`by ${vendor}`, () => {
    test('a notification reaches the phone and is counted once', async () => {
      const phone = await newPhone(vendor);
      const taskId = await notify(phone);
      await counts(taskId, { [vendor]: [1, 1, 0] });
      assert.deepEqual(await vendors.arrivedTokens(vendor, phone.vendorToken), [phone.vendorToken]);
      await waitUntilFinished(carillon.storage, taskId);
    });

    const isCarried = !withoutCommands.includes(vendor);
    test(`a data-only message ${isCarried ? 'reaches the app' : 'is not sent to the vendor'}`, async () => {
      const phone = await newPhone(vendor);
      const taskId = await notify(phone, { type: 'cmd', ext: { do: 'sync' } });
      if (isCarried) await counts(taskId, { [vendor]: [1, 1, 0] });
      else await waitUntilFinished(carillon.storage, taskId);
      if (!isCarried) assert.deepEqual(await vendors.arrivedTokens(vendor, phone.vendorToken), []);
    });

    test('a receipt that the app sends to /device/receipt is counted once', async () => {
      const phone = await newPhone(vendor);
      const taskId = await notify(phone);
      await counts(taskId, { [vendor]: [1, 1, 0] });
      const reference = await referenceSeenBy(vendor, phone.vendorToken);
      for (let times = 0; times < 2; times++)
        await carillon.post('/device/receipt', { list: [reference] }, { token: phone.token });
      await counts(taskId, { [vendor]: [1, 1, 1] });
    });

    test('a dead token ends its binding with the reason from the vendor, and is valid again when it is bound again', async () => {
      const phone = await newPhone(vendor, 'dead');
      const other = await newPhone(vendor);
      const taskId = await carillon.notify(
        { push_token: [phone.push_token, other.push_token] },
        { body: 'both' },
        BY_VENDOR,
      );
      await counts(taskId, { [vendor]: [2, 1, 0] });
      const ended = await eventually(async () => {
        const boundToken = await binding(phone.vendorToken);
        assert.equal(boundToken?.isEnded, true);
        return boundToken;
      });
      assert.match(
        String(ended?.endedWhy),
        /^(Unregistered|UNREGISTERED.*|80100000|tokenFormatError|expireTokens|bad_regids|10000|10302 status 2|110002)$/,
      );
      await bind(vendor, phone, phone.vendorToken);
      assert.equal((await binding(phone.vendorToken))?.isEnded, false);
    });

    test('credentials that the vendor rejects are saved only if check is false', async () => {
      const wrong = vendor === 'fcm' ? 'foreign' : 'wrong';
      const broken =
        wrong === 'foreign'
          ? { certificate: foreignAccount(vendors.factsOf('fcm').certificate.certificate) }
          : vendor === 'harmony'
            ? { certificate: withOtherKey(vendors.factsOf('harmony').certificate.certificate) }
            : { [vendor === 'apns' ? 'app_key' : 'app_secret']: 'OTHERKEY01' };
      const refused = await saveCertificate(vendor, { environment: 0, ...broken });
      assert.equal(refused.code, 10002, String(refused.message));
      assert.match(String(refused.message), /rejected these credentials/);
      const { data: none } = await carillon.post<{ environment: number; provider: number }[]>(
        '/admin/certificate/list',
        {},
      );
      assert.ok(!none.some((one) => one.provider === providerByVendor[vendor] && one.environment === 0));
      assert.equal((await saveCertificate(vendor, { environment: 0, check: false, ...broken })).code, 200);
      const check = (environment: number) =>
        carillon.post<{ result: string }>('/admin/certificate/check', {
          provider: providerByVendor[vendor],
          environment,
        });
      assert.equal((await check(0)).data.result, 'refused');
      assert.equal((await check(1)).data.result, 'good');
    });
  });

/** Returns the same file with the email address of another service account. */
function foreignAccount(file: string): string {
  const account = JSON.parse(file) as Record<string, string>;
  return JSON.stringify({ ...account, client_email: 'somebody@else.iam.gserviceaccount.com' });
}

/** Returns the same service-account file with the ID of another key. */
const withOtherKey = (file: string): string => JSON.stringify({ ...JSON.parse(file), key_id: 'OTHERKEY01' });

test('two workers share one access token', async () => {
  const asked = async () => {
    const { token } = await vendors.get<{ token: { requests: Record<string, number> } }>('fcm', '/counts');
    return Object.values(token.requests).reduce((sum, count) => sum + count, 0);
  };
  const phone = await newPhone('fcm');
  const before = await asked();
  const tasks = await Promise.all(Array.from({ length: 30 }, () => notify(phone)));
  for (const taskId of tasks) await counts(taskId, { fcm: [1, 1, 0] });
  assert.equal((await asked()) - before, 0, 'all workers use the existing access token');
});

describe('callbacks from Huawei, HarmonyOS and Honor', () => {
  const address: Partial<Record<VendorName, string>> = {};
  before(async () => {
    for (const vendor of ['huawei', 'harmony', 'honor'] as const) {
      const signature = vendor === 'honor' ? {} : SIGNED_WITH;
      const body = { provider: providerByVendor[vendor], ...signature };
      const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', body);
      address[vendor] = `${carillon.apis[0]?.apiUrl}${data.path}`;
      await vendors.post(vendor, '/receipts', { url: address[vendor], delay_ms: 20, ...signature });
    }
    // Each worker reads the callback URL within three seconds. Until then, its references have no key. Ten consecutive
    // references with a key show that both workers have read it.
    const phone = await newPhone('huawei', 'muted');
    for (let keyed = 0, tries = 0; keyed < 10; tries++) {
      assert.ok(tries < 500);
      await counts(await notify(phone), { huawei: [1, 1, 0] });
      keyed = /\.[\w-]{16}$/.test(await referenceSeenBy('huawei', phone.vendorToken)) ? keyed + 1 : 0;
    }
  });

  for (const vendor of ['huawei', 'harmony', 'honor'] as const)
    test(`${vendor}: a delivery is counted, and a repeated report is not counted again`, async () => {
      const phone = await newPhone(vendor);
      const taskId = await notify(phone);
      await counts(taskId, { [vendor]: [1, 1, 1] });
      const status = vendor === 'honor' ? '40000002' : '0';
      const { posts } = (await vendors.post(vendor, '/receipts/send', {
        token: phone.vendorToken,
        status: Number(status),
        repeat: 3,
      })) as { posts: { status: number }[] };
      assert.deepEqual(
        posts.map(({ status: answered }) => answered),
        [200, 200, 200],
      );
      assert.deepEqual(await carillon.counters(taskId), { [vendor]: [1, 1, 1] });
    });

  test('a receipt counts even if it is received before the response from the vendor', async () => {
    const phone = await newPhone('honor', 'slow');
    const taskId = await notify(phone);
    await counts(taskId, { honor: [1, 1, 1] });
    await waitUntilFinished(carillon.storage, taskId);
  });

  test('a receipt that is repeated a thousand times in one call counts once and is processed quickly', async () => {
    const phone = await newPhone('honor');
    const taskId = await notify(phone);
    await counts(taskId, { honor: [1, 1, 1] });
    const biTag = await referenceSeenBy('honor', phone.vendorToken);
    const entry = { token: phone.vendorToken, biTag, status: 40000002, timestamp: -8.64e15 };
    const start = performance.now();
    const body = JSON.stringify({ statuses: new Array(1_000).fill(entry) });
    const { status } = await fetch(String(address.honor), { method: 'POST', body });
    assert.equal(status, 200);
    assert.ok(performance.now() - start < 5_000);
    assert.deepEqual(await carillon.counters(taskId), { honor: [1, 1, 1] });
  });

  test('a phone without the app is no longer reached, unless its token has been bound again since the report', async () => {
    const phone = await newPhone('huawei', 'gone');
    await notify(phone);
    await eventually(async () =>
      assert.deepEqual(await binding(phone.vendorToken), { endedWhy: 'receipt 2', isEnded: true }),
    );
    await bind('huawei', phone, phone.vendorToken);
    await vendors.post('huawei', '/receipts/send', { token: phone.vendorToken, status: 2, old: true });
    assert.equal((await binding(phone.vendorToken))?.isEnded, false, 'a report from before the new binding is ignored');
  });

  test('a receipt that is unsigned, too old, forged or for another device changes nothing', async () => {
    const phone = await newPhone('huawei', 'muted'); // Reported as "notifications are off", which is not a delivery.
    const other = await newPhone('huawei', 'muted');
    const taskId = await notify(phone);
    await counts(taskId, { huawei: [1, 1, 0] });
    const real = await referenceSeenBy('huawei', phone.vendorToken);
    const forged = `${real.slice(0, -4)}AAAA`;
    const { home } = carillon.storage;
    const callback = (await findCallbacks(home, carillon.appId)).find(({ channel }) => channel === 'honor');
    assert.ok(callback);
    const [task, bucket, sliceNumber] = real.split('.').map(Number) as [number, number, number];
    const ofHonor = referenceOf(
      { taskId: BigInt(task), bucket, sliceNumber },
      openCallback(carillon.keyrings.callbacks, callback).referenceKey,
    );
    const postCallback = async (body: object) =>
      ((await vendors.post('huawei', '/receipts/send', { status: 0, ...body })) as { posts: { status: number }[] })
        .posts[0]?.status;
    assert.equal(await postCallback({ token: phone.vendorToken, bi_tag: real, bad_signature: true }), 404);
    for (const bi_tag of [forged, ofHonor, `${task}.${bucket}.${sliceNumber}`, '1.2.3', '****'])
      assert.equal(await postCallback({ token: phone.vendorToken, bi_tag }), 200);
    assert.equal(await postCallback({ token: other.vendorToken, bi_tag: real }), 200);
    assert.equal(await postCallback({ token: 'unknown', bi_tag: real }), 200);
    assert.deepEqual(await carillon.counters(taskId), { huawei: [1, 1, 0] });
    assert.equal(await postCallback({ token: phone.vendorToken, bi_tag: real }), 200);
    await counts(taskId, { huawei: [1, 1, 1] });
  });

  test('a callback URL that was replaced returns 404', async () => {
    const { data } = await carillon.post<{ path: string; signed: boolean }>('/admin/certificate/callback', {
      provider: providerByVendor.honor,
      renew: true,
    });
    assert.notEqual(`${carillon.apis[0]?.apiUrl}${data.path}`, address.honor);
    await eventually(async () => {
      const { status } = await fetch(String(address.honor), { method: 'POST', body: '{"statuses":[]}' });
      assert.equal(status, 404);
    });
  });
});

test('a click that Xiaomi reports counts once, and also as received', async () => {
  const { data } = await carillon.post<{ path: string }>('/admin/certificate/callback', {
    provider: providerByVendor.xiaomi,
  });
  const phone = await newPhone('xiaomi');
  // References have a key after the workers have read the callback URL.
  const { taskId, reference } = await eventually(async () => {
    const sentTask = await notify(phone);
    await counts(sentTask, { xiaomi: [1, 1, 0] });
    const seen = await referenceSeenBy('xiaomi', phone.vendorToken);
    assert.match(seen, /\.[\w-]{16}$/);
    return { taskId: sentTask, reference: seen };
  });
  const entry = { param: reference, type: 2, targets: phone.vendorToken, timestamp: Date.now() };
  const body = new URLSearchParams({ data: JSON.stringify({ scm1: entry }) });
  for (let i = 0; i < 2; i++) {
    const { status } = await fetch(`${carillon.apis[0]?.apiUrl}${data.path}`, { method: 'POST', body });
    assert.equal(status, 200);
  }
  const report = await carillon.post<{ channels: object[] }>('/push/task/report', { task_id: taskId });
  assert.deepEqual(report.data.channels, [
    { channel: 'xiaomi', target: 1, sent: 1, received: 1, clicked: 1, recalled: 0, recall_failed: 0, failures: [] },
  ]);
});

test('a series of tokens of another app trips the breaker and ends no binding, and correct credentials reset the breaker', async () => {
  // The devices are registered for another app, so that Apple rejects each token. With a wrong topic in the
  // credentials, Apple would reject the key instead.
  const { appId, storage } = carillon;
  const wavePhones = await Promise.all(
    Array.from({ length: SUSPECT_USERS_MAX }, async (_, i) => {
      const userId = await addUser(storage.home, appId);
      const apnsToken = `live-apns-wave-${i}`;
      const login = await addDevice(storage, { appId, userId, deviceGuid: `wave-${i}`, apnsToken });
      return { ...login, vendorToken: apnsToken };
    }),
  );
  for (const { vendorToken } of wavePhones)
    await vendors.post('apns', '/devices', { token: vendorToken, environment: 'sandbox', topic: 'com.example.other' });
  const taskId = await carillon.notify(
    { push_token: wavePhones.map(({ push_token }) => push_token) },
    { body: 'wave' },
    BY_VENDOR,
  );
  const breaker = await eventually(async () => {
    const [tripped] = await findTrippedBreakers(storage.home, appId);
    assert.ok(tripped);
    return tripped;
  });
  assert.deepEqual([breaker.channel, breaker.cause], ['apns', 'locked-out']);
  assert.match(breaker.reason, /BadDeviceToken.*environment/);
  await eventually(() =>
    assert.ok(carillon.errorLines.some((line) => line.includes('breaker-tripped') && line.includes('BadDeviceToken'))),
  );
  for (const { vendorToken } of wavePhones) assert.equal((await binding(vendorToken))?.isEnded, false);
  // The places of the task wait together, because one slice contains them all. They are sent now.
  for (const { vendorToken } of wavePhones)
    await vendors.post('apns', '/devices', {
      token: vendorToken,
      environment: 'production',
      topic: vendors.factsOf('apns').certificate.app_id,
    });
  assert.equal((await saveCertificate('apns')).code, 200);
  await waitUntilFinished(carillon.storage, taskId, 30);
  const { apns } = await carillon.counters(taskId);
  assert.deepEqual(
    apns,
    [SUSPECT_USERS_MAX, SUSPECT_USERS_MAX, 0],
    'no notification of the task that tripped the breaker is lost',
  );
});

test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));

/** Returns the reference of the newest notification to a vendor token, as the app reads it. */
async function referenceSeenBy(vendor: VendorName, vendorToken: string): Promise<string> {
  const { arrived } = await vendors.get<{ arrived: unknown[] }>(vendor, `/arrived?token=${vendorToken}`);
  const [, reference] = /\\*"reference\\*":\\*"([\w.-]+)/.exec(JSON.stringify(arrived.at(-1))) ?? [];
  return reference ?? assert.fail(`no reference: ${JSON.stringify(arrived)}`);
}
