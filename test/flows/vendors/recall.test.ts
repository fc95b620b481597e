import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { providerByVendor, type VendorName } from '#src/domain/channel.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';
import { startVendorSimulators, type VendorSimulators } from '../../support/vendor-simulators.ts';

const SETTING = { ospush_sequence: ['huawei', 'ups', 'fcm'] };
const MESSAGE = { title: 'Wrong price', body: 'Everything is free' };

let vendors: VendorSimulators;
let carillon: Carillon;
let ada: TestUser;
before(async () => {
  vendors = await startVendorSimulators();
  carillon = await startCarillon({ settings: { ...vendors.settings, CARILLON_LEASE_SECONDS: '14' } });
  ada = await carillon.createUser('ada');
  for (const vendor of ['huawei', 'xiaomi', 'fcm', 'harmony'] as const)
    await carillon.post('/admin/certificate/save', {
      provider: providerByVendor[vendor],
      ...vendors.factsOf(vendor).certificate,
      name: vendor,
    });
});
after(async () => {
  await carillon?.[Symbol.asyncDispose]();
  await vendors?.[Symbol.asyncDispose]();
});

let phones = 0;
const logIn = () => carillon.logIn(ada, `phone-${++phones}`);

type VendorPhone = Login & { readonly vendor: VendorName; readonly vendorToken: string };

async function newPhone(vendor: VendorName): Promise<VendorPhone> {
  const login = await logIn();
  const vendorToken = `live-${vendor}-recall-${phones}`;
  await carillon.post(
    '/device/bind',
    { provider: providerByVendor[vendor], token: vendorToken },
    { token: login.token },
  );
  return { ...login, vendor, vendorToken };
}

/** Connects a device, and records the IDs of the recalls that it receives. */
async function connectAs(login: Login, { subscribes }: { subscribes: boolean }) {
  const [gateway] = carillon.gateways;
  assert.ok(gateway);
  const device = Object.assign(await connectDevice(gateway, login, { protocolVersion: 5 }), {
    recalls: [] as string[],
  });
  device.client.on('message', (topic, payload) => {
    if (topic !== 'recall') return;
    device.recalls.push((JSON.parse(payload.toString()) as { message_id: string }).message_id);
  });
  if (subscribes) await device.client.subscribeAsync('recall', { qos: 0 });
  return device;
}

const notify = (...logins: readonly Login[]) =>
  carillon.notify({ push_token: logins.map(({ push_token }) => push_token) }, MESSAGE, SETTING);

const recall = (taskId: bigint) =>
  carillon.post<{ finished: boolean; recall?: object[] }>('/push/task/cancel', { task_id: taskId, recall: true });

interface Report {
  readonly recall: string;
  readonly channels: readonly { channel: string; sent: number; recalled: number; recall_failed: number }[];
}

/** Returns the state of the recall, and `[sent, recalled, recall_failed]` of each channel. */
async function reportOf(taskId: bigint): Promise<Record<string, unknown>> {
  const { data } = await carillon.post<Report>('/push/task/report', { task_id: taskId });
  const counts = data.channels.map((each) => [each.channel, [each.sent, each.recalled, each.recall_failed]]);
  return { recall: data.recall, ...Object.fromEntries(counts) };
}

const reportBecomes = (taskId: bigint, expected: object, secondsMax?: number) =>
  eventually(async () => assert.deepEqual(await reportOf(taskId), expected), secondsMax);

/** Waits for the counts, whether the recall is still running or done. */
const countsBecome = (taskId: bigint, expected: object) =>
  eventually(async () => {
    const { recall: _state, ...counts } = await reportOf(taskId);
    assert.deepEqual(counts, expected);
  });

interface Arrived {
  readonly recalled?: true;
  readonly body: { readonly message: { readonly data: string } };
}

async function arrivedAt({ vendor, vendorToken }: VendorPhone): Promise<Arrived[]> {
  return (await vendors.get<{ arrived: Arrived[] }>(vendor, `/arrived?token=${vendorToken}`)).arrived;
}

/** Returns whether the phone still displays its only notification. */
async function isShown(phone: VendorPhone): Promise<boolean> {
  const arrived = await arrivedAt(phone);
  assert.equal(arrived.length, 1);
  return arrived[0]?.recalled === undefined;
}

/** Makes the next pass of a recall due, as if this time had passed since its request. */
const passTime = (taskId: bigint, interval: string) =>
  carillon.storage.home.query(
    'update recalls set requested_at = requested_at - $2::interval, next_at = now() where task_id = $1',
    [taskId, interval],
  );

test('recalls what the channels support, and reports the rest', async () => {
  const [huawei, clicked, xiaomi, fcm] = [
    await newPhone('huawei'),
    await newPhone('huawei'),
    await newPhone('xiaomi'),
    await newPhone('fcm'),
  ];
  const [login, oldLogin] = [await logIn(), await logIn()];
  await using current = await connectAs(login, { subscribes: true });
  await using old = await connectAs(oldLogin, { subscribes: false });
  const taskId = await notify(huawei, clicked, xiaomi, fcm, login, oldLogin);
  const sent = { fcm: [1, 1, 0], huawei: [2, 2, 0], nativepush: [2, 2, 2], xiaomi: [1, 1, 0] };
  await eventually(async () => assert.deepEqual(await carillon.counters(taskId), sent));
  const [arrival] = await arrivedAt(clicked);
  const { reference } = JSON.parse(arrival?.body.message.data ?? '{}') as { reference: string };
  await carillon.post('/device/receipt', { list: [reference], event: 'clicked' }, { token: clicked.token });
  await waitUntilFinished(carillon.storage, taskId);
  assert.equal((await reportOf(taskId)).recall, 'none');

  const { data } = await recall(taskId);
  assert.deepEqual(
    [data.finished, data.recall],
    [
      true,
      [
        { channel: 'fcm', sent: 1, supported: false },
        { channel: 'huawei', sent: 2, supported: true },
        { channel: 'nativepush', sent: 2, supported: true },
        { channel: 'xiaomi', sent: 1, supported: true },
      ],
    ],
  );
  const counts = { fcm: [1, 0, 1], huawei: [2, 1, 0], xiaomi: [1, 1, 0] };
  await reportBecomes(taskId, { recall: 'running', ...counts, nativepush: [2, 1, 0] });
  assert.deepEqual(await Promise.all([huawei, clicked, xiaomi].map(isShown)), [false, true, false]);
  assert.deepEqual([current.recalls, old.received.length], [[`${taskId}`], 1], 'the old client received no recall');

  await passTime(taskId, '25 h');
  await reportBecomes(taskId, { recall: 'done', ...counts, nativepush: [2, 1, 1] });
  const received = { ...sent, huawei: [2, 2, 1] };
  assert.deepEqual(await carillon.counters(taskId), received, 'a recall changes no counter');
});

test('recalls from HarmonyOS, which needs the Client ID of the app', async () => {
  const harmony = await newPhone('harmony');
  const certificate = {
    ...vendors.factsOf('harmony').certificate,
    provider: providerByVendor.harmony,
    name: 'harmony',
  };
  const revokedTokens = async () =>
    (await vendors.get<{ revoked: { token: string }[] }>('harmony', '/revoked')).revoked.map(({ token }) => token);
  const send = async () => {
    const taskId = await notify(harmony);
    await reportBecomes(taskId, { recall: 'none', harmony: [1, 0, 0] });
    return taskId;
  };
  const recalled = await send();
  await recall(recalled);
  await reportBecomes(recalled, { recall: 'running', harmony: [1, 1, 0] });
  assert.deepEqual(await revokedTokens(), [harmony.vendorToken]);

  await carillon.post('/admin/certificate/save', { ...certificate, app_key: '' });
  await eventually(async () => {
    const taskId = await send();
    await recall(taskId);
    await reportBecomes(taskId, { recall: 'running', harmony: [1, 0, 1] }, 12);
  }, 60);
  await carillon.post('/admin/certificate/save', certificate);
});

test('ends when every device has a result, and a repeated request does not start it again', async () => {
  const xiaomi = await newPhone('xiaomi');
  const taskId = await notify(xiaomi);
  await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { xiaomi: [1, 1, 0] }));
  await recall(taskId);
  await reportBecomes(taskId, { recall: 'running', xiaomi: [1, 1, 0] });
  await waitUntilFinished(carillon.storage, taskId);
  await passTime(taskId, '1 min');
  await reportBecomes(taskId, { recall: 'done', xiaomi: [1, 1, 0] });
  await recall(taskId);
  assert.equal((await reportOf(taskId)).recall, 'done');
});

test('recalls from a device that was offline when it connects again', async () => {
  const login = await logIn();
  const device = await connectAs(login, { subscribes: true });
  const taskId = await notify(login);
  await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
  await device[Symbol.asyncDispose]();
  await recall(taskId);
  await eventually(async () => {
    const [row] = await carillon.storage.home.query<{ isWaiting: boolean }>(
      `select next_at between now() and now() + interval '1 min' as "isWaiting" from recalls where task_id = $1`,
      [taskId],
    );
    assert.ok(row?.isWaiting, 'the first pass has ended');
  });
  await using again = await connectAs(login, { subscribes: true });
  await eventually(async () => {
    await passTime(taskId, '0 s');
    // Each repetition ends the lease early, so a recall can arrive twice.
    assert.ok(again.recalls.includes(`${taskId}`));
  });
  await reportBecomes(taskId, { recall: 'running', nativepush: [1, 1, 0] });
});

for (const next of ['another user', 'the same user'])
  test(`does not recall from a device on which ${next} has logged in since`, async () => {
    const huawei = await newPhone('huawei');
    const taskId = await notify(huawei);
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { huawei: [1, 1, 0] }));
    await carillon.post('/token/logout', {}, { token: huawei.token });
    const login = await carillon.logIn(
      next === 'the same user' ? ada : await carillon.createUser('bob'),
      huawei.deviceGuid,
    );
    const body = { provider: providerByVendor.huawei, token: huawei.vendorToken };
    await carillon.post('/device/bind', body, { token: login.token });
    await recall(taskId);
    await reportBecomes(taskId, { recall: 'running', huawei: [1, 0, 1] });
    assert.equal(await isShown(huawei), true);
  });

test('a vendor that rejects the credentials does not delay another, and its channel is not paused', async () => {
  const [huawei, xiaomi] = [await newPhone('huawei'), await newPhone('xiaomi')];
  const taskId = await notify(huawei, xiaomi);
  await eventually(async () =>
    assert.deepEqual(await carillon.counters(taskId), { huawei: [1, 1, 0], xiaomi: [1, 1, 0] }),
  );
  await vendors.post('huawei', '/faults', { kind: 'wrong-credentials', duration_ms: 60_000 });
  await recall(taskId);
  await reportBecomes(taskId, { recall: 'running', huawei: [1, 0, 0], xiaomi: [1, 1, 0] });
  await vendors.endFaults('huawei');
  assert.deepEqual(await carillon.storage.home.query('select from breakers where channel = $1', ['huawei']), []);
  await reportBecomes(taskId, { recall: 'running', huawei: [1, 1, 0], xiaomi: [1, 1, 0] }, 30);
});

test('survives a crash of the worker during a call, and a request while no worker runs', async () => {
  const [stalled, live] = [await newPhone('huawei'), await newPhone('xiaomi')];
  const taskId = await notify(stalled, live);
  await eventually(async () =>
    assert.deepEqual(await carillon.counters(taskId), { huawei: [1, 1, 0], xiaomi: [1, 1, 0] }),
  );
  const other = await notify(live);
  await eventually(async () => assert.deepEqual(await carillon.counters(other), { xiaomi: [1, 1, 0] }));
  await vendors.post('huawei', '/faults', { kind: 'stall', requests: 1 });
  await recall(taskId);
  await reportBecomes(taskId, { recall: 'running', huawei: [1, 0, 0], xiaomi: [1, 1, 0] });
  await carillon.workers[0]?.kill(); // while Huawei does not respond
  await recall(other);
  await carillon.start('worker');
  await countsBecome(other, { xiaomi: [1, 1, 0] });
  await passTime(taskId, '0 s'); // the end of the lease
  await countsBecome(taskId, { huawei: [1, 1, 0], xiaomi: [1, 1, 0] });
  assert.equal(await isShown(stalled), false);
});

test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
