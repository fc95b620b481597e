import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import {
  CarillonDevice,
  type DeviceCredentials,
  type DeviceEvents,
  type DeviceOptions,
  type ReceivedNotification,
} from '../../../sdk/src/device/index.ts';
import { Carillon as Client } from '../../../sdk/src/index.ts';
import { type Carillon, startCarillon, type TestUser } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { REVOKED_SECONDS_MAX } from '../../support/revocation-limits.ts';

const GATEWAYS = 2;
const ACKNOWLEDGE_SECONDS = 2;
const KEEP_ALIVE_SECONDS = 1;
const EVENT_MS_MAX = 20_000;
const USE_ANOTHER_SERVER = 0x9c;

/** Storage that outlives the device object, as browser storage outlives a page. */
class PageStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
}

interface Phone extends AsyncDisposable {
  readonly device: CarillonDevice;
  /** Credentials of the last login. */
  credentials?: DeviceCredentials;
  /** Notifications passed to the handler, in order. */
  readonly shown: ReceivedNotification[];
  /** Names of the emitted events, in order. */
  readonly events: (keyof DeviceEvents)[];
  readonly problems: Error[];
}

const EVENTS = ['connecting', 'online', 'offline', 'signed-out', 'taken-over'] as const;

describe('device client', () => {
  let carillon: Carillon;
  let users = 0;

  before(async () => {
    carillon = await startCarillon({
      gateways: GATEWAYS,
      settings: {
        CARILLON_ACKNOWLEDGE_SECONDS: String(ACKNOWLEDGE_SECONDS),
        CARILLON_GATEWAY_KEEPALIVE_SECONDS_MIN: String(KEEP_ALIVE_SECONDS),
      },
    });
  });
  after(() => carillon?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    // A previous test may have killed a gateway.
    while (urls().length < GATEWAYS) await carillon.start('gateway');
  });

  type ListenerUrl = 'mqttUrl' | 'webSocketUrl';
  const urls = (listenerUrl: ListenerUrl = 'mqttUrl') =>
    carillon.gateways.filter(({ isAlive }) => isAlive).map((gateway) => gateway[listenerUrl]);
  const somebody = () => carillon.createUser(`person-${++users}`);

  async function open(options: Partial<DeviceOptions> = {}): Promise<Phone> {
    const shown: ReceivedNotification[] = [];
    const device = await CarillonDevice.open({
      carillon: new Client({ url: carillon.apis[0]?.apiUrl as string, appId: carillon.appId }),
      gateway: urls(),
      ...options,
      onNotification: (notification) => {
        shown.push(notification);
        return options.onNotification?.(notification);
      },
    });
    const events: (keyof DeviceEvents)[] = [];
    const problems: Error[] = [];
    for (const name of EVENTS) device.on(name, () => events.push(name));
    device.on('problem', (problem) => problems.push(problem));
    return { device, shown, events, problems, [Symbol.asyncDispose]: () => device.disconnect() };
  }

  async function openFor(user: TestUser, options: Partial<DeviceOptions> = {}): Promise<Phone> {
    const phone = await open(options);
    phone.credentials = await phone.device.login({ login_name: user.name, password: user.password });
    await goOnline(phone.device);
    return phone;
  }

  const bindApns = ({ credentials }: Phone, token: string) =>
    carillon.post('/device/bind', { provider: 1, token }, { token: credentials?.token as string });

  /** Connects, and returns the gateway that the device is connected to. */
  async function goOnline(device: CarillonDevice): Promise<RoleProcess> {
    const online = next(device, 'online');
    device.connect();
    const { gateway } = await online;
    const here = carillon.gateways.find(({ mqttUrl, webSocketUrl }) => [mqttUrl, webSocketUrl].includes(gateway));
    return here as RoleProcess;
  }

  const next = <Name extends keyof DeviceEvents>(device: CarillonDevice, name: Name): Promise<DeviceEvents[Name]> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No ${name} event was emitted in time.`)), EVENT_MS_MAX);
      const stop = device.on(name, (event) => {
        stop();
        clearTimeout(late);
        resolve(event);
      });
    });

  const countersBecome = (taskId: bigint, wanted: Record<string, [number, number, number]>, secondsMax?: number) =>
    eventually(async () => assert.deepEqual(await carillon.counters(taskId), wanted), secondsMax);

  /** The row of a session changes a moment after its connection has ended. Until then, workers send to the device. */
  const sessionEnds = ({ deviceGuid }: CarillonDevice) =>
    eventually(async () => {
      const sql = 'select from sessions join devices using (bucket, device_id) where online and device_guid = $1';
      const rows = await Promise.all(carillon.storage.shards.all.map((db) => db.query(sql, [deviceGuid])));
      assert.deepEqual(rows.flat(), []);
    });

  const idsOf = ({ shown }: Phone) => shown.map(({ task_id }) => task_id);

  for (const [how, listenerUrl] of [
    ['TCP', 'mqttUrl'],
    ['WebSocket', 'webSocketUrl'],
  ] as const) {
    test(`by ${how}: displays a notification, which is counted as received`, async () => {
      const ada = await somebody();
      await using phone = await openFor(ada, { gateway: urls(listenerUrl) });
      assert.equal(phone.device.state, 'online');
      const message = { title: 'Hello', body: 'world', ext: { seat: 9007199254740993n }, badge: '+2' };
      const taskId = await carillon.notify({ user_id: [ada.userId] }, message);
      await countersBecome(taskId, { nativepush: [1, 1, 1] });
      const [notification] = phone.shown;
      assert.deepEqual(
        [phone.shown.length, notification?.task_id, notification?.message_id, notification?.title, notification?.ext],
        [1, taskId, taskId, 'Hello', { seat: 9007199254740993n }],
      );
      assert.equal(phone.device.badge, 2);
      assert.deepEqual(phone.events, ['connecting', 'online']);
    });

    test(`by ${how}: displays and acknowledges more simultaneous notifications than the window allows`, async () => {
      const ada = await somebody();
      await using phone = await openFor(ada, {
        gateway: urls(listenerUrl),
        onNotification: () => new Promise((resolve) => setImmediate(resolve)),
      });
      const taskIds = await Promise.all(
        Array.from({ length: 60 }, (_, i) => carillon.notify({ user_id: [ada.userId] }, { body: `${i}` })),
      );
      for (const taskId of taskIds) await countersBecome(taskId, { nativepush: [1, 1, 1] });
      assert.deepEqual(new Set(idsOf(phone)), new Set(taskIds));
      assert.equal(phone.shown.length, 60);
    });

    test(`by ${how}: reconnects to another gateway soon after its gateway shuts down`, async () => {
      const ada = await somebody();
      await using phone = await open({ gateway: urls(listenerUrl) });
      await phone.device.login({ login_name: ada.name, password: ada.password });
      const gateway = await goOnline(phone.device);
      const [offline, online] = [next(phone.device, 'offline'), next(phone.device, 'online')];
      assert.equal(await gateway.stop(), 0);
      const { reasonCode, retryMs } = await offline;
      assert.equal(reasonCode, USE_ANOTHER_SERVER);
      assert.ok(retryMs !== undefined && retryMs <= 3_000, `the device reconnects after ${retryMs} ms`);
      await online;
      const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'still here' });
      await countersBecome(taskId, { nativepush: [1, 1, 1] });
    });
  }

  test('a notification whose handler is still running does not count as received: the vendor sends it too, and the late receipt counts', async () => {
    const ada = await somebody();
    const { promise, resolve } = Promise.withResolvers<void>();
    await using phone = await openFor(ada, { onNotification: () => promise, keepAliveSeconds: KEEP_ALIVE_SECONDS });
    await bindApns(phone, 'live-slow-handler');

    const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'slow' });
    await eventually(() => assert.deepEqual(idsOf(phone), [taskId]));
    await countersBecome(taskId, { nativepush: [1, 1, 0] });
    await countersBecome(taskId, { nativepush: [1, 1, 0], apns: [1, 1, 0] });
    const [arrived] = await carillon.apnsNotificationsFor('live-slow-handler');
    assert.equal(arrived?.payload.mid, taskId.toString());

    // The connection stays usable: pings get a response, and another notification is read.
    const other = await carillon.notify(
      { user_id: [ada.userId] },
      { body: 'another' },
      { distribution_strategy: 'nativepush_only' },
    );
    await eventually(() => assert.deepEqual(idsOf(phone), [taskId, other]));
    await new Promise((done) => setTimeout(done, 3 * KEEP_ALIVE_SECONDS * 1_000));
    assert.deepEqual(phone.events, ['connecting', 'online']);

    resolve();
    await countersBecome(taskId, { nativepush: [1, 1, 1], apns: [1, 1, 0] });
    await countersBecome(other, { nativepush: [1, 1, 1] });
  });

  test('a notification whose handler failed does not count as received, and is delivered again on the next connection', async () => {
    const ada = await somebody();
    let works = false;
    const onNotification = () => {
      if (!works) throw new Error('no screen');
    };
    await using phone = await openFor(ada, { onNotification });
    const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'try again' });
    await eventually(() => assert.equal(phone.problems.length, 1));
    assert.match(String(phone.problems[0]?.cause), /no screen/);
    await countersBecome(taskId, { nativepush: [1, 1, 0] });

    works = true;
    await phone.device.disconnect();
    await goOnline(phone.device);
    await countersBecome(taskId, { nativepush: [1, 1, 1] });
    assert.deepEqual(idsOf(phone), [taskId, taskId]);
    assert.deepEqual([phone.problems.length, phone.device.badge], [1, 1]);
  });

  test('reconnects to another gateway after its gateway was killed, and receives the waiting notification', async () => {
    const ada = await somebody();
    await using phone = await open();
    await phone.device.login({ login_name: ada.name, password: ada.password });
    const gateway = await goOnline(phone.device);
    const [offline, online] = [next(phone.device, 'offline'), next(phone.device, 'online')];
    await gateway.kill();
    const { retryMs } = await offline;
    const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'waits' });
    assert.ok(retryMs !== undefined && retryMs <= 1_000, `the device reconnects after ${retryMs} ms`);
    assert.notEqual((await online).gateway, gateway.mqttUrl);
    await eventually(() => assert.deepEqual(idsOf(phone), [taskId]));
    await eventually(async () => assert.equal((await carillon.counters(taskId)).nativepush?.[2], 1));
  });

  test('drops and acknowledges a repeated notification, even after a reload', async () => {
    const ada = await somebody();
    const storage = new PageStorage();
    let gateway: RoleProcess | undefined;
    // The notification is displayed, but the gateway is killed before the acknowledgement reaches it.
    await using phone = await open({ storage, onNotification: () => gateway?.kill() });
    const credentials = await phone.device.login({ login_name: ada.name, password: ada.password });
    gateway = await goOnline(phone.device);
    const offline = next(phone.device, 'offline');
    const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'once' });
    await offline;
    // The connection can end before the handler, which records the notification as shown.
    await eventually(() => assert.ok([...storage.items.values()].some((state) => state.includes(`${taskId}`))));
    await phone.device.disconnect();
    assert.deepEqual(idsOf(phone), [taskId]);
    assert.equal((await carillon.counters(taskId)).nativepush?.[2], 0, 'the acknowledgement was lost');

    await using reloaded = await open({ storage });
    assert.equal(reloaded.device.deviceGuid, credentials.device_guid);
    await reloaded.device.use(credentials);
    await goOnline(reloaded.device);
    await eventually(async () => assert.equal((await carillon.counters(taskId)).nativepush?.[2], 1));
    assert.deepEqual(idsOf(reloaded), []);
    assert.equal(reloaded.device.badge, 1);
  });

  test('disconnects when another client connects as the same device, and reconnects when `connect` is called', async () => {
    const ada = await somebody();
    await using first = await open();
    const credentials = await first.device.login({ login_name: ada.name, password: ada.password });
    // Both clients connect to one gateway, which then closes the first connection with a reason code.
    const [gateway] = urls() as [string];
    await using one = await open({ gateway });
    await one.device.use(credentials);
    await goOnline(one.device);
    const [takenOver, offline] = [next(one.device, 'taken-over'), next(one.device, 'offline')];
    await using other = await open({ gateway });
    await other.device.use(credentials);
    await goOnline(other.device);

    assert.equal((await takenOver).reasonCode, 0x8e);
    assert.equal((await offline).retryMs, undefined);
    const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'for the other' });
    await eventually(() => assert.deepEqual(idsOf(other), [taskId]));
    assert.deepEqual([one.device.state, other.device.state, idsOf(one)], ['offline', 'online', []]);

    const otherIsTakenOver = next(other.device, 'taken-over');
    await goOnline(one.device);
    await otherIsTakenOver;
  });

  test('is signed out when its credentials are revoked, and stays offline', async () => {
    const ada = await somebody();
    await using phone = await openFor(ada);
    const signedOut = next(phone.device, 'signed-out');
    const revokedAt = performance.now();
    await carillon.post('/admin/user/kick', { user_id: ada.userId });
    assert.equal((await signedOut).reasonCode, 0x87);
    assert.ok(performance.now() - revokedAt < REVOKED_SECONDS_MAX * 1_000);
    assert.deepEqual(phone.events, ['connecting', 'online', 'offline', 'signed-out']);

    const refused = next(phone.device, 'signed-out');
    phone.device.connect();
    assert.equal((await refused).reasonCode, 0x86, 'the revoked token is rejected');
    assert.equal(phone.device.state, 'offline');

    await phone.device.login({ login_name: ada.name, password: ada.password });
    await goOnline(phone.device);
  });

  test('reports a notification received from a vendor, and detects a repeated notification', async () => {
    const ada = await somebody();
    await using phone = await openFor(ada);
    await phone.device.disconnect();
    await sessionEnds(phone.device);
    await bindApns(phone, 'live-vendor');
    const taskId = await carillon.notify({ user_id: [ada.userId] }, { body: 'by Apple' });
    await countersBecome(taskId, { apns: [1, 1, 0] });
    const [arrived] = await carillon.apnsNotificationsFor('live-vendor');
    assert.ok(arrived);
    const { reference, mid } = arrived.payload as { reference: string; mid: string };
    assert.equal(await phone.device.receipt({ reference, mid }), true);
    assert.equal(await phone.device.receipt({ reference, mid }), false, 'the notification was already displayed');
    await countersBecome(taskId, { apns: [1, 1, 1] });
    await phone.device.click({ reference });
    await eventually(async () => {
      const { data } = await carillon.post<{ channels: { clicked: number }[] }>('/push/task/report', {
        task_id: taskId,
      });
      assert.equal(data.channels[0]?.clicked, 1);
    });
  });

  test('sets its tags, alias and badge, reports its state, and logs out', async () => {
    const ada = await somebody();
    await using phone = await openFor(ada);
    const { device } = phone;
    const badges: number[] = [];
    device.on('badge', (badge) => badges.push(badge));
    assert.deepEqual(await device.tag({ add: ['news', 'beta'] }), { tags: ['beta', 'news'] });
    assert.deepEqual(await device.alias('kitchen'), { alias: 'kitchen' });
    const byTag = await carillon.notify({ tag: ['beta'] }, { body: 'x', badge: '5' });
    const byAlias = await carillon.notify({ alias: ['kitchen'] }, { body: 'y' });
    for (const taskId of [byTag, byAlias]) await countersBecome(taskId, { nativepush: [1, 1, 1] });
    await device.setBadge(0);
    assert.equal(badges.at(-1), 0);
    assert.equal(device.badge, 0);
    await device.reportState({ client: 'web 0.1.0', notifications: 'denied' });
    const { data } = await carillon.post<{ list: [{ state: { reported_at: number } }] }>('/admin/device/find', {
      device_guid: device.deviceGuid,
    });
    const { reported_at, ...state } = data.list[0].state;
    assert.ok(Math.abs(reported_at - Date.now()) < 60_000);
    assert.deepEqual(state, { client: 'web 0.1.0', notifications: 'denied', vendor_errors: [] });

    await device.logout();
    assert.throws(() => device.connect(), /No user is signed in/);
    assert.throws(() => device.alias('x'), /No user is signed in/);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
