import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { BUCKETS, bucketOfGuid } from '#src/domain/bucket.ts';
import { reachBit } from '#src/domain/reach.ts';
import { isOpen } from '#src/domain/slice.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import { type HomeDb, inTransaction, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { bindVendorToken, endBindings, hashVendorToken } from '#src/storage/devices/bindings.ts';
import { findDevices } from '#src/storage/devices/devices.ts';
import { registerDevice } from '#src/storage/devices/ownership.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../scripts/dev/seed.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { connectDevice, recordArrivals, type TestDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { slicesOf, waitUntilFinished } from '../support/ledger.ts';

/** Short leases, so that slices still leased after a failed statement are claimed again soon. */
const SETTINGS = { CARILLON_LEASE_SECONDS: '8', CARILLON_VENDOR_DEADLINE_SECONDS: '4' };

/** The low half of the buckets is in one database, the other half in another. */
const isLow = (bucket: number) => bucket < BUCKETS / 2;

describe('a worker whose connection breaks during a statement', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_LEASE_SECONDS: '120' } });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Terminates the connections whose insert into `expansions` is waiting for a lock, and returns their number. */
  async function breakWaiting(db: ShardDb): Promise<number> {
    const broken = await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into expansions%'`,
    );
    return broken.length;
  }

  test('releases its claims long before the lease expires', async () => {
    const user = await carillon.createUser('ada');
    const login = await carillon.logIn(user, 'phone');
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const { all } = carillon.storage.shards;
    const over = Promise.withResolvers<void>();
    const locked = all.map(() => Promise.withResolvers<void>());
    const holding = all.map((db, i) =>
      inTransaction(db, async (tx) => {
        await tx.query('lock table expansions in exclusive mode');
        locked[i]?.resolve();
        await over.promise;
      }),
    );
    await Promise.all(locked.map(({ promise }) => promise));
    const taskId = await carillon.notify({ push_token: [login.push_token] }, { body: 'hello' });
    const db = carillon.storage.shards.dbFor(bucketOfTask(taskId));
    await eventually(async () => assert.equal(await breakWaiting(db), 1), 10);
    over.resolve();
    await Promise.all(holding);
    await eventually(() => assert.ok(device.taskIds.includes(taskId.toString())), 15);
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
  });
});

describe('outage of one of two shard databases', () => {
  let stack: Stack;
  let carillon: Carillon;
  let guids = 0;

  before(async () => {
    stack = await startStack();
    carillon = await startCarillon({ stack, databases: 3, gateways: 2, workers: 2, settings: SETTINGS });
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  /** Creates a user with a device in the database of the low or the high shards. */
  async function phone(low: boolean): Promise<{ userId: bigint; login: Login }> {
    const { appId, storage } = carillon;
    const userId = await addUser(storage.home, appId);
    let deviceGuid: string;
    do deviceGuid = `phone-${++guids}`;
    while (isLow(bucketOfGuid(appId, deviceGuid)) !== low);
    return { userId, login: await addDevice(storage, { appId, userId, deviceGuid }) };
  }

  test('tasks that need only the available database are delivered within 5 s, and the others after the outage', async () => {
    const [low, high] = [await phone(true), await phone(false)];
    const [gateway1, gateway2] = carillon.gateways as [RoleProcess, RoleProcess];
    await using lowDevice = await connectDevice(gateway1, low.login);
    await using highDevice = await connectDevice(gateway2, high.login);
    const arrivals = recordArrivals(lowDevice);

    await using away = await makeUnavailable(stack, carillon.storage.shards.dbFor(BUCKETS - 1));
    const sent: { taskId: bigint; at: number; device: TestDevice; untouched: boolean }[] = [];
    const send = async (audience: object, device: TestDevice, isInLow: boolean) => {
      const taskId = await carillon.notify(audience, { body: 'on its way' });
      sent.push({ taskId, at: performance.now(), device, untouched: isInLow && isLow(bucketOfTask(taskId)) });
    };
    // The bucket of a task without an idempotency key is random, so about half of the tasks are in each database.
    for (let i = 0; i < 64; i++) {
      await send({ push_token: [low.login.push_token] }, lowDevice, true);
      if (i % 8 === 0) await send({ push_token: [high.login.push_token] }, highDevice, false);
      if (i % 8 === 4) await send({ user_id: [low.userId] }, lowDevice, true);
    }
    const untouched = sent.filter((one) => one.untouched);
    assert.ok(untouched.length >= 20, `${untouched.length} tasks need only the available database`);
    await eventually(() => {
      const missing = untouched.filter(({ taskId }) => !arrivals.has(taskId.toString()));
      assert.equal(missing.length, 0, `${missing.length} of ${untouched.length} tasks were not received`);
    }, 6);
    const seconds = untouched.map(({ taskId, at }) => ((arrivals.get(taskId.toString()) as number) - at) / 1_000);
    assert.ok(Math.max(...seconds) <= 5, `the slowest task took ${Math.max(...seconds)} s`);
    assert.deepEqual(highDevice.received, []);

    await away.makeAvailable();
    for (const { taskId, device } of sent)
      await eventually(
        () => assert.ok(device.taskIds.includes(taskId.toString()), `task ${taskId} was not received`),
        30,
      );
    for (const { taskId } of sent) {
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
      await waitUntilFinished(carillon.storage, taskId, 30);
    }
    assert.deepEqual([lowDevice.closes, highDevice.closes], [0, 0]);
    await checkLaws(carillon.storage);
  });
});

describe('outage of the home database', () => {
  let stack: Stack;
  let carillon: Carillon;

  before(async () => {
    stack = await startStack();
    carillon = await startCarillon({ stack, gateways: 0, settings: SETTINGS });
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  test('logs no error while credentials cannot be read, and retries the affected devices', async () => {
    const { storage, appId } = carillon;
    const userId = await addUser(storage.home, appId);
    await addDevice(storage, { appId, userId, deviceGuid: 'iphone', apnsToken: 'down-iphone' });
    const taskId = await carillon.notify({ user_id: [userId] }, { body: 'again and again' });
    await eventually(async () => assert.ok(((await slicesOf(storage, taskId))[0]?.attempts ?? 0) > 0));

    const nats = await connect({ servers: [...stack.natsUrls] });
    try {
      await using _away = await makeUnavailable(stack, storage.home);
      const notCalled = () =>
        carillon.logLines.filter((line) => /"event":"(vendor-not-called|work-failed)"/.test(line));
      await eventually(() => {
        nats.publish(`${carillon.settings.CARILLON_NATS_PREFIX}.wake-up.prompt`); // no other process publishes a wake-up signal during the outage
        assert.notDeepEqual(notCalled(), []);
      }, 30);
    } finally {
      await nats.close();
    }
    assert.deepEqual(carillon.errorLines, []);
    const answers = async () => (await readCounts(carillon))['503 ServiceUnavailable'] ?? 0;
    const before = await answers();
    await eventually(async () => assert.ok((await answers()) > before, 'Apple is no longer called'), 40);
    assert.deepEqual(await carillon.counters(taskId), { apns: [1, 0, 0] });
    await checkLaws(storage);
  });
});

describe('credentials of one app that cannot be decrypted', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, settings: SETTINGS });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('a phone of another app in the same claim is notified exactly once, and phones of the affected app wait until its credentials are saved again', async () => {
    const { storage } = carillon;
    await carillon.addApp('broken');
    await storage.home.query(`update certificates set certificate = '\\x0103616263' where app_id = 'broken'`);
    const asBroken = { token: await seedAdminToken(storage.home, 'broken'), headers: { app_id: 'broken' } };
    const audienceIn = async (appId: string) => {
      const userId = await addUser(storage.home, appId);
      await addDevice(storage, { appId, userId, deviceGuid: 'iphone', apnsToken: `live-${appId}` });
      return { user_id: [userId] };
    };
    const [sound, broken] = [await audienceIn(carillon.appId), await audienceIn('broken')];

    const [worker] = carillon.workers as [RoleProcess];
    worker.signal('SIGSTOP'); // so that the worker claims both tasks together
    const brokenTask = await carillon.notify(broken, { body: 'later' }, {}, asBroken);
    const soundTask = await carillon.notify(sound, { body: 'now' });
    worker.signal('SIGCONT');

    await eventually(async () => assert.deepEqual(await carillon.counters(soundTask), { apns: [1, 1, 0] }), 5);
    await waitUntilFinished(storage, soundTask, 5);
    await eventually(async () => {
      const [slice] = await slicesOf(storage, brokenTask);
      assert.ok((slice?.attempts ?? 0) >= 2 && slice?.status.every(isOpen), 'the slice is retried');
    });
    assert.deepEqual(await carillon.apnsNotificationsFor('live-broken'), []);
    assert.deepEqual(await carillon.counters(brokenTask, asBroken), { apns: [1, 0, 0] });

    await carillon.saveApnsCertificate('broken');
    await waitUntilFinished(storage, brokenTask, 30);
    assert.deepEqual(await carillon.counters(brokenTask, asBroken), { apns: [1, 1, 0] });
    assert.equal((await carillon.apnsNotificationsFor('live-broken')).length, 1);
    assert.equal((await carillon.apnsNotificationsFor(`live-${carillon.appId}`)).length, 1);
    await checkLaws(storage);
  });
});

describe('bindings that end and start at the same time', () => {
  let databases: TestDatabases;
  let storage: Storage;

  before(async () => {
    databases = await createMigratedDatabases();
    storage = await openStorage({
      settings: { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 },
      connections: 4,
      log: createLog({ level: 'error', fields: { role: 'test' } }),
    });
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  test('60 rounds of concurrent endBindings and bindVendorToken calls do not deadlock, and the new token is always live', async () => {
    const db = storage.shards.dbFor(0);
    const register = async (name: string) => {
      const login = { appId: 'bells', bucket: 0, deviceGuid: name, userId: 1n, newPushToken: `p000${name}` };
      const { deviceId, generation } = await registerDevice(db, { ...login, registeredAt: new Date() });
      return { appId: 'bells', bucket: 0, deviceId, generation };
    };
    const devices = [await register('first'), await register('second')] as const;
    const bind = (device: (typeof devices)[number], token: string) =>
      bindVendorToken(db, device, { channel: 'apns', environment: 1, token, domestic: false });
    const toEnd = (device: (typeof devices)[number], token: string) =>
      ({ ...device, channel: 'apns', tokenHash: hashVendorToken(token, 'apns'), endReason: 'Unregistered' }) as const;

    for (let i = 0; i < 60; i++) {
      for (const device of devices) await bind(device, `old-${i}`);
      const ended = devices.map((device) => toEnd(device, `old-${i}`));
      await Promise.all([
        endBindings(db, ended),
        bind(devices[0], `new-${i}`),
        bind(devices[1], `new-${i}`),
        endBindings(db, ended.toReversed()),
      ]);
      const live = await db.query<{ token: string }>('select token from bindings where ended_at is null');
      assert.deepEqual(
        live.map(({ token }) => token),
        [`new-${i}`, `new-${i}`],
      );
      for (const { reach } of await findDevices(db, devices)) assert.equal(reach, reachBit('apns', 1));
    }
  });
});

/** Returns the number of responses from the APNs simulator, by result. */
async function readCounts({ apns }: Carillon): Promise<Record<string, number>> {
  const counts = (await (await fetch(`${apns.facts.control_url}/counts`)).json()) as {
    production: { requests: Record<string, number> };
  };
  return counts.production.requests;
}

/** Makes a database reject all connections until it is made available again. */
async function makeUnavailable(
  stack: Stack,
  db: HomeDb | ShardDb,
): Promise<{ makeAvailable(): Promise<void> } & AsyncDisposable> {
  const [row] = await db.query<{ name: string }>('select current_database() as name');
  const { name } = row as { name: string };
  const admin = new Client(stack.databaseUrl('postgres'));
  await admin.connect();
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  const makeAvailable = async () => {
    await admin.query(`alter database ${name} with allow_connections true`);
  };
  return {
    makeAvailable,
    [Symbol.asyncDispose]: async () => {
      await makeAvailable();
      await admin.end();
    },
  };
}
