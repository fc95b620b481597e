import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import { randomText } from '#src/foundation/random-text.ts';
import { divideBuckets } from '#src/storage/database/bucket-map.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import { expansionOf, planExpansions } from '#src/storage/ledger/expansions.ts';
import { insertGroup, insertMembers } from '#src/storage/users/groups.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../../scripts/dev/seed.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type CallOptions, type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows, waitUntilFinished } from '../../support/ledger.ts';

const FORGOTTEN = 8;
/** Buckets in which the test has devices. */
const USED_BUCKETS = Array.from({ length: 64 }, (_, i) => i * 64 + 5);
const USED = USED_BUCKETS.length;
/** A sweep runs once a second. The machine can cause delays too, so the test fails only after several late rounds. */
const LATE_SECONDS = 1.5;
const POLLS_MAX = 3;

describe('audiences of notifications', () => {
  let carillon: Carillon;
  let guids = 0;

  before(async () => {
    // With the default setting, an audience of this size would be expanded as one list.
    carillon = await startCarillon({
      gateways: 2,
      workers: 2,
      settings: { CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '100' },
    });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const newUser = (appId = carillon.appId) => addUser(carillon.storage.home, appId);

  /** Adds a phone in the given bucket, or in any bucket. */
  function newPhone(
    userId: bigint,
    { appId = carillon.appId, bucket, apnsToken }: { appId?: string; bucket?: number; apnsToken?: string } = {},
  ): Promise<Login> {
    let deviceGuid: string;
    do deviceGuid = `phone-${++guids}`;
    while (bucket !== undefined && bucketOfGuid(appId, deviceGuid) !== bucket);
    return addDevice(carillon.storage, { appId, userId, deviceGuid, ...(apnsToken !== undefined && { apnsToken }) });
  }

  const connect = (login: Login, i = 0) =>
    connectDevice(carillon.gateways[i % carillon.gateways.length] as RoleProcess, login);

  const countersBecome = (
    taskId: bigint,
    wanted: Record<string, readonly [number, number, number]>,
    options?: CallOptions,
  ): Promise<void> => eventually(async () => assert.deepEqual(await carillon.counters(taskId, options), wanted));

  /** Returns the tasks in the list that a caller can see. */
  async function seen(list: readonly bigint[], options: CallOptions): Promise<bigint[]> {
    const { data } = await carillon.post<{ task_id: number }[]>('/push/task/detail', { list }, options);
    return data.map(({ task_id }) => BigInt(task_id));
  }

  /** Returns the response code of a notify call. */
  async function codeOf(audience: object | 'all', options: CallOptions): Promise<number> {
    const { code } = await carillon.tryPost('/push/notify', { audience, message: { body: 'may I?' } }, options);
    return code;
  }

  test('`all` reaches every device of the app once, in every database and with two workers, but no device of another app and no device registered later', async () => {
    const { shards } = carillon.storage;
    await carillon.addApp('strangers');
    const strangerId = await newUser('strangers');
    const strangerLogin = await newPhone(strangerId, { appId: 'strangers' });
    await newPhone(strangerId, { appId: 'strangers', apnsToken: 'live-stranger' });
    // Each of these buckets has a user with three phones: one online, one with an APNs token, one that is switched off.
    const online: Login[] = [];
    const off: Login[] = [];
    for (const bucket of USED_BUCKETS) {
      const userId = await newUser();
      online.push(await newPhone(userId, { bucket }));
      await newPhone(userId, { bucket, apnsToken: `live-all-${bucket}` });
      off.push(await newPhone(userId, { bucket }));
    }
    // Phones that were last seen so long ago that no notification is kept in their inbox.
    for (let i = 0; i < FORGOTTEN; i++)
      await forget(await newPhone(await newUser(), { bucket: USED_BUCKETS[i] as number }));
    await using devices = new Devices(await Promise.all(online.map(connect)));
    await using stranger = await connect(strangerLogin);

    for (const worker of carillon.workers) worker.signal('SIGSTOP'); // so that the late devices are registered before the expansion
    const taskId = await carillon.notify('all', { body: 'everyone' });
    await using half = await holdHalf(taskId);
    const heldPhones = USED_BUCKETS.filter((bucket) => shards.dbFor(bucket) === shards.dbFor(0)).length;
    const latecomer = await newUser();
    await newPhone(latecomer, { apnsToken: 'live-latecomer' });
    await using late = await connect(await newPhone(latecomer));
    for (const worker of carillon.workers) worker.signal('SIGCONT');
    // The worker that sent more of the first half is stopped until the other one has started the second half, so that
    // both take part.
    const byWorker = () => Promise.all(carillon.workers.map(acceptedByApns));
    const [one, two] = await eventually(async () => {
      const accepted = await byWorker();
      assert.equal(sum(accepted), USED - heldPhones);
      return accepted as [number, number];
    });
    const [busy, idle] = (one > two ? carillon.workers : carillon.workers.toReversed()) as [RoleProcess, RoleProcess];
    busy.signal('SIGSTOP');
    await half[Symbol.asyncDispose]();
    await eventually(async () => assert.ok((await acceptedByApns(idle)) > Math.min(one, two)));
    busy.signal('SIGCONT');

    await countersBecome(taskId, { nativepush: [2 * USED, USED, USED], apns: [USED, USED, 0] });
    for (const { taskIds } of devices.all) assert.deepEqual(taskIds, [taskId.toString()]);
    assert.deepEqual([...late.taskIds, ...stranger.taskIds], []);
    assert.deepEqual(await apnsTokensOf(taskId), USED_BUCKETS.map((bucket) => `live-all-${bucket}`).sort());
    assert.deepEqual(new Set((await bucketsOf(taskId)).map((bucket) => shards.dbFor(bucket))), new Set(shards.all));
    const accepted = await byWorker();
    assert.equal(sum(accepted), USED);
    assert.ok(
      accepted.every((count) => count > 0),
      `both workers take part: ${accepted}`,
    );

    // One phone connects. The notification stays in the inboxes of the others.
    await using woken = await connect(off[0] as Login);
    const all = { nativepush: [2 * USED, USED + 1, USED + 1], apns: [USED, USED, 0] } as const;
    await countersBecome(taskId, all);
    assert.deepEqual(woken.taskIds, [taskId.toString()]);
    await eventually(async () => assert.equal(await countInboxRows(carillon.storage, taskId), USED - 1));

    // An expired notification is removed from the inbox. Devices that received it in time are counted.
    const end = Math.floor(Date.now() / 1_000) + 3;
    const brief = await carillon.notify(
      'all',
      { body: 'briefly', show_end_time: end },
      { distribution_strategy: 'nativepush_only' },
    );
    await waitUntilFinished(carillon.storage, brief);
    assert.equal(await countInboxRows(carillon.storage, brief), 0);
    assert.deepEqual(await carillon.counters(taskId), all);
    const ids = [taskId, brief].map(String);
    const present = [...devices.all, woken];
    for (const { taskIds } of present)
      assert.deepEqual(taskIds, ids.slice(0, taskIds.length), 'each task is received at most once, and in order');
    await eventually(async () => {
      const recipientCount = [...present, late].filter(({ taskIds }) => taskIds.includes(String(brief))).length;
      assert.deepEqual(await carillon.counters(brief), {
        nativepush: [3 * USED + 2, recipientCount, recipientCount],
      });
    });
  });

  test('`all` with a few devices is expanded as one list in one bucket', async () => {
    const token = await seedAdminToken(carillon.storage.home, 'strangers');
    const options = { token, headers: { app_id: 'strangers' } };
    const taskId = await carillon.notify('all', { body: 'you two' }, { distribution_strategy: 'ospush_only' }, options);
    await countersBecome(taskId, { apns: [1, 1, 0] }, options);
    await waitUntilFinished(carillon.storage, taskId);
    assert.deepEqual(await bucketsOf(taskId), [bucketOfTask(taskId)]);
  });

  test('with group_id an admin reaches only members of the group, and sees the tasks of that group', async () => {
    const { home } = carillon.storage;
    const [ann, ben, cid] = [await newUser(), await newUser(), await newUser()];
    for (const [groupId, name] of [
      [7n, 'choir'],
      [8n, 'orchestra'],
    ] as const)
      await insertGroup(home, carillon.appId, groupId, name);
    for (const userId of [ann, ben]) await insertMembers(home, carillon.appId, 7n, [userId]);
    await insertMembers(home, carillon.appId, 8n, [cid]);
    const logins = [await newPhone(ann), await newPhone(ben, { apnsToken: 'live-ben' }), await newPhone(cid)] as const;
    await using anns = await connect(logins[0], 0);
    await using cids = await connect(logins[2], 1);
    const choir = { headers: { group_id: '7' } };

    const taskIds: bigint[] = [];
    const toMembers = { nativepush: [1, 1, 1], apns: [1, 1, 0] } as const;
    for (const audience of [
      { user_id: [ann, ben, cid] },
      { push_token: logins.map(({ push_token }) => push_token) },
      'all',
    ] as const) {
      const taskId = await carillon.notify(audience, { body: 'sing' }, {}, choir);
      await countersBecome(taskId, toMembers, choir);
      await waitUntilFinished(carillon.storage, taskId);
      assert.deepEqual(await carillon.counters(taskId), toMembers);
      taskIds.push(taskId);
    }
    assert.deepEqual(anns.taskIds, taskIds.map(String));
    assert.deepEqual(cids.taskIds, []);
    assert.equal((await carillon.apnsNotificationsFor('live-ben')).length, 3);

    const admins = await carillon.notify({ user_id: [ann] }, { body: 'from above' });
    const everything = [...taskIds, admins];
    assert.deepEqual(await seen(everything, choir), taskIds);
    assert.deepEqual(await seen(everything, { headers: { group_id: '8' } }), []);
    assert.deepEqual(await seen(everything, {}), everything);

    assert.equal(await codeOf({ user_id: [ann] }, { headers: { group_id: '9' } }), 20001);
    assert.equal(await codeOf({ user_id: [ann] }, { headers: { group_id: '7', user_id: String(ann) } }), 10002);
    await waitUntilFinished(carillon.storage, admins);
  });

  test('with user_id an admin reaches any user, and the user in the header becomes the author, who can see the task', async () => {
    const [ann, ben] = [await newUser(), await newUser()];
    const [annsLogin, bensLogin] = [await newPhone(ann), await newPhone(ben)];
    await using bens = await connect(bensLogin);

    const taskId = await carillon.notify(
      { user_id: [ben] },
      { body: 'from Ann' },
      {},
      { headers: { user_id: String(ann) } },
    );

    await countersBecome(taskId, { nativepush: [1, 1, 1] }, { token: annsLogin.token });
    assert.deepEqual(bens.taskIds, [taskId.toString()]);
    assert.deepEqual(await seen([taskId], { token: bensLogin.token }), [], 'a recipient cannot see the task');
    assert.deepEqual(await seen([taskId], {}), [taskId]);
    assert.equal(await codeOf({ user_id: [ben] }, { headers: { user_id: '1' } }), 10000);
    await waitUntilFinished(carillon.storage, taskId);
  });

  test('a user reaches their own devices by user id and push token; a request with any other device is rejected', async () => {
    const [ann, ben] = [await newUser(), await newUser()];
    const [annsLogin, bensLogin] = [await newPhone(ann), await newPhone(ben)];
    await using anns = await connect(annsLogin, 0);
    await using bens = await connect(bensLogin, 1);
    const asAnn = { token: annsLogin.token };
    const unknown = pushTokenOf(5, randomText(160));

    for (const audience of [
      { user_id: [ben] },
      { user_id: [ann, ben] },
      { push_token: [bensLogin.push_token] },
      { push_token: [annsLogin.push_token, bensLogin.push_token] },
      { push_token: [unknown] },
      { push_token: [annsLogin.push_token, unknown] },
      { push_token: ['not a push token'] },
      'all',
    ] as const)
      assert.equal(await codeOf(audience, asAnn), 10010, inspect(audience));
    for (const audience of [{ user_id: [ann] }, { push_token: [annsLogin.push_token] }]) {
      const taskId = await carillon.notify(audience, { body: 'to myself' }, {}, asAnn);
      await countersBecome(taskId, { nativepush: [1, 1, 1] }, asAnn);
      await waitUntilFinished(carillon.storage, taskId);
    }
    assert.equal(anns.received.length, 2);
    assert.deepEqual(bens.received, []);
  });

  test('an app can forbid its users to send, or allow them to notify any user', async () => {
    for (const userPush of ['none', 'any']) {
      await carillon.addApp(userPush);
      await carillon.storage.home.query('update apps set user_push = $1 where app_id = $1', [userPush]);
    }
    const call = (appId: string, { token }: Login) => ({ token, headers: { app_id: appId } });

    const mute = await newUser('none');
    const muteLogin = await newPhone(mute, { appId: 'none' });
    assert.equal(await codeOf({ user_id: [mute] }, call('none', muteLogin)), 10010);
    assert.equal(await codeOf({ push_token: [muteLogin.push_token] }, call('none', muteLogin)), 10010);

    const [ann, ben] = [await newUser('any'), await newUser('any')];
    const [annsLogin, bensLogin] = [await newPhone(ann, { appId: 'any' }), await newPhone(ben, { appId: 'any' })];
    await using anns = await connect(annsLogin, 0);
    await using bens = await connect(bensLogin, 1);
    const asAnn = call('any', annsLogin);
    const toBen = await carillon.notify({ user_id: [ben] }, { body: 'hello Ben' }, {}, asAnn);
    await countersBecome(toBen, { nativepush: [1, 1, 1] }, asAnn);
    const toAll = await carillon.notify('all', { body: 'hello all' }, {}, asAnn);
    await countersBecome(toAll, { nativepush: [2, 2, 2] }, asAnn);
    assert.deepEqual(anns.taskIds, [toAll.toString()]);
    assert.deepEqual(bens.taskIds, [toBen.toString(), toAll.toString()]);
  });

  test('show_begin_time delivers the notification at that time, not earlier and at most slightly later', async () => {
    const userId = await newUser();
    await using device = await connect(await newPhone(userId));
    let arrivedAt = 0;
    device.client.on('message', () => {
      arrivedAt = Date.now() / 1_000;
    });

    let lateBy = Number.POSITIVE_INFINITY;
    for (let look = 1; look <= POLLS_MAX && lateBy > LATE_SECONDS; look++) {
      const begin = Math.floor(Date.now() / 1_000) + 3;
      const taskId = await carillon.notify({ user_id: [userId] }, { body: 'at the stroke', show_begin_time: begin });
      await eventually(() => assert.equal(device.received.length, look));
      assert.ok(arrivedAt >= begin, `the notification was received ${begin - arrivedAt} s too early`);
      lateBy = arrivedAt - begin;
      await countersBecome(taskId, { nativepush: [1, 1, 1] });
      await waitUntilFinished(carillon.storage, taskId);
    }
    assert.ok(lateBy <= LATE_SECONDS, `the notification was received ${lateBy} s late`);
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));

  /**
   * Inserts the expansions of a task in one of the databases, as a worker does, and locks them until the returned
   * object is disposed.
   */
  async function holdHalf(taskId: bigint): Promise<AsyncDisposable> {
    const db = carillon.storage.shards.dbFor(0);
    const ranges = carillon.storage.shards.rangesOf(db).flatMap((range) => divideBuckets(range, 32));
    const task = { taskId, appId: carillon.appId, lane: 'bulk' } as const;
    await planExpansions(
      db,
      ranges.map((range) => expansionOf(task, range)),
      { done: false },
    );
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(db, async (tx) => {
      await tx.query('select from expansions where task_id = $1 for update', [taskId]);
      held.resolve();
      await released.promise;
    });
    await Promise.race([held.promise, holding]);
    return {
      [Symbol.asyncDispose]: async () => {
        released.resolve();
        await holding;
      },
    };
  }

  /** Sets the day on which a phone was last seen to 40 days ago. */
  async function forget({ deviceGuid }: Login): Promise<void> {
    const db = carillon.storage.shards.dbFor(bucketOfGuid(carillon.appId, deviceGuid));
    await db.query('update devices set seen_on = current_date - 40 where device_guid = $1', [deviceGuid]);
  }

  /** Returns the tokens to which APNs delivered a task. A token that received the task twice is listed twice. */
  async function apnsTokensOf(taskId: bigint): Promise<string[]> {
    const response = await fetch(`${carillon.apns.facts.control_url}/arrived?limit=20000`);
    const { arrived } = (await response.json()) as { arrived: { token: string; collapse_id: string }[] };
    return arrived
      .filter(({ collapse_id }) => collapse_id === taskId.toString())
      .map(({ token }) => token)
      .sort();
  }

  /** Returns the buckets that have slices of this task. */
  async function bucketsOf(taskId: bigint): Promise<number[]> {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ bucket: number }>('select distinct bucket from slices where task_id = $1', [taskId]),
      ),
    );
    return rows
      .flat()
      .map(({ bucket }) => bucket)
      .sort((a, b) => a - b);
  }

  /** Returns the number of notifications that Apple accepted from a worker, according to the worker's metrics. */
  async function acceptedByApns({ healthUrl }: RoleProcess): Promise<number> {
    const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
    return Number(/^carillon_sent_total\{channel="apns",outcome="accepted"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  }
});

const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);

/** Devices that are disposed of together. */
class Devices implements AsyncDisposable {
  readonly all: readonly TestDevice[];

  constructor(all: readonly TestDevice[]) {
    this.all = all;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((device) => device[Symbol.asyncDispose]()));
  }
}
