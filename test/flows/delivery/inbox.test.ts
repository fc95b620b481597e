import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { placeStatus } from '#src/domain/slice.ts';
import { deleteExpiredInboxRows } from '#src/storage/devices/inbox.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { queryCountOf, runConcurrently } from '../../support/concurrent-calls.ts';
import { connectDevice } from '../../support/device.ts';
import { connectSwarmDevice, createSwarm, type SwarmDevice } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows, slicesOf, waitUntilFinished } from '../../support/ledger.ts';

const KEPT_MAX = 100;
const WINDOW = 20;
/** Lifetime of a notification, long enough to complete all steps of a test before it expires. */
const LIVES_SECONDS = 25;
/** Lifetime in tests that wait until a single notification expires. */
const ONE_LIVES_SECONDS = 12;

describe('inbox of a device', () => {
  let carillon: Carillon;
  let phones = 0;

  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_GATEWAY_RECONCILE_SECONDS: '600' } });
  });
  after(async () => {
    if (carillon) await checkLaws(carillon.storage);
    await carillon?.[Symbol.asyncDispose]();
  });

  async function newPhone(): Promise<Login & { userId: bigint }> {
    const { storage, appId } = carillon;
    const userId = await addUser(storage.home, appId);
    return { ...(await addDevice(storage, { appId, userId, deviceGuid: `phone-${phones++}` })), userId };
  }
  const connect = (login: Login): Promise<SwarmDevice> =>
    connectSwarmDevice(carillon.gateways[0]?.ports.gateway as number, login);

  /** Sends notifications to a user who is not connected. They expire after `livesSeconds`. */
  async function leave(userId: bigint, count: number, livesSeconds = LIVES_SECONDS): Promise<bigint[]> {
    const taskIds: bigint[] = [];
    const end = Math.floor(Date.now() / 1_000) + livesSeconds;
    for (let i = 0; i < count; i++)
      taskIds.push(await carillon.notify({ user_id: [userId] }, { body: `${i}`, show_end_time: end }));
    return taskIds;
  }
  const lies = (taskId: bigint, rows: number, secondsMax?: number) =>
    eventually(async () => assert.equal(await countInboxRows(carillon.storage, taskId), rows), secondsMax);
  const statuses = async (taskId: bigint) =>
    (await slicesOf(carillon.storage, taskId)).flatMap(({ status }) => [...status]);

  // The final status of displaced notifications is checked in the last test, because it is written only when they
  // expire.
  let lost: bigint[];
  let kept: bigint[];

  test('keeps the newest hundred notifications and delivers them in order, regardless of the window size', async () => {
    const login = await newPhone();
    const taskIds = await leave(login.userId, KEPT_MAX + 5);
    [lost, kept] = [taskIds.slice(0, 5), taskIds.slice(5)];
    for (const taskId of lost) await lies(taskId, 0);
    for (const taskId of kept) await lies(taskId, 1);
    assert.ok(kept.length > WINDOW);
    using device = await connect(login);
    await eventually(() => assert.equal(device.taskIds.length, KEPT_MAX));
    assert.deepEqual(device.taskIds, kept.map(String));
  });

  test('does not deliver an expired notification, even before a worker removes it', async () => {
    const login = await newPhone();
    const [old] = (await leave(login.userId, 1, ONE_LIVES_SECONDS)) as [bigint];
    await lies(old, 1);
    for (const worker of carillon.workers) worker.signal('SIGSTOP');
    try {
      for (const db of carillon.storage.shards.all)
        await db.query(`update inbox set expires_at = now() - interval '1 ms' where task_id = $1`, [old]);
      using device = await connect(login);
      device.send({ cmd: 'pingreq' });
      await eventually(() => assert.equal(device.pongs, 1));
      await lies(old, 1);
      assert.deepEqual(device.taskIds, []);
    } finally {
      for (const worker of carillon.workers) worker.signal('SIGCONT');
    }
    await waitUntilFinished(carillon.storage, old, 2 * ONE_LIVES_SECONDS);
    assert.deepEqual(await statuses(old), [placeStatus.expired]);
  });

  test('does not deliver a cancelled notification, even before a worker removes it', async () => {
    const login = await newPhone();
    const [cancelled, other] = (await leave(login.userId, 2)) as [bigint, bigint];
    await Promise.all([lies(cancelled, 1), lies(other, 1)]);
    for (const worker of carillon.workers) worker.signal('SIGSTOP');
    try {
      await carillon.post('/push/task/cancel', { task_id: cancelled });
      await lies(cancelled, 1);
      using device = await connect(login);
      await eventually(() => assert.ok(device.taskIds.length > 0));
      assert.deepEqual(device.taskIds, [other.toString()]);
    } finally {
      for (const worker of carillon.workers) worker.signal('SIGCONT');
    }
    await waitUntilFinished(carillon.storage, cancelled);
    assert.deepEqual(await statuses(cancelled), [placeStatus.cancelled]);
  });

  test('delivers newer notifications behind a full window of notifications that are too large', async () => {
    const login = await newPhone();
    const tooLarge: bigint[] = [];
    for (let i = 0; i < WINDOW; i++)
      tooLarge.push(await carillon.notify({ user_id: [login.userId] }, { body: 'x'.repeat(2_000) }));
    const small = await carillon.notify({ user_id: [login.userId] }, { body: 'small' });
    for (const taskId of [...tooLarge, small]) await lies(taskId, 1);
    {
      const options = { protocolVersion: 5, maximumPacketSize: 1_000 } as const;
      await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login, options);
      await eventually(() => assert.deepEqual(device.taskIds, [`${small}`]));
      await waitUntilFinished(carillon.storage, small);
    }
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    await eventually(() => assert.deepEqual(device.taskIds, tooLarge.map(String)));
  });

  test('ends a notification as expired if its inbox row was deleted before a worker processed the expiry', async () => {
    const login = await newPhone();
    const [taskId] = (await leave(login.userId, 1)) as [bigint];
    await lies(taskId, 1);
    const { home, shards } = carillon.storage;
    for (const worker of carillon.workers) await worker[Symbol.asyncDispose]();
    await home.query(
      `update tasks set due_at = now() - interval '1 day', not_after = now() - interval '2 min' where task_id = $1`,
      [taskId],
    );
    for (const db of shards.all) {
      await db.query(`update inbox set expires_at = now() - interval '2 min' where task_id = $1`, [taskId]);
      await deleteExpiredInboxRows(db, 100);
      await db.query('update slices set next_at = now() where task_id = $1', [taskId]);
    }
    await lies(taskId, 0);
    await carillon.start('worker');
    await waitUntilFinished(carillon.storage, taskId);
    assert.deepEqual(await statuses(taskId), [placeStatus.expired]);
    const { data } = await carillon.post<{ list: { why: string }[] }>('/push/task/trace', {
      task_id: taskId,
      push_token: login.push_token,
    });
    assert.match(data.list[0]?.why ?? '', /^The device did not connect before the notification expired in its inbox\./);
  });

  test('ends a displaced notification as failed and a kept one as received', async () => {
    for (const taskId of [...lost, ...kept]) await waitUntilFinished(carillon.storage, taskId, 2 * LIVES_SECONDS);
    for (const taskId of lost) assert.deepEqual(await statuses(taskId), [placeStatus.failed]);
    for (const taskId of kept) assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] });
  });
});

const DEVICES = 600;
/**
 * Maximum number of queries. Each connection needs several kinds of query, so that it would need several times this
 * number without batching. On a slow machine, the batches are small.
 */
const QUERIES_MAX = DEVICES;

describe(`${DEVICES} devices with a notification in each inbox connect at the same time`, () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon();
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('the gateway looks up the devices, announces their sessions and reads their inboxes in batches, and every device receives its notification', async () => {
    using swarm = await createSwarm(carillon, DEVICES);
    const taskId = await carillon.notify('all', { body: 'hello' });
    await eventually(async () => assert.equal(await countInboxRows(carillon.storage, taskId), DEVICES), 30);
    const role = carillon.gateways[0] as RoleProcess;
    const before = await queryCountOf(role);
    await runConcurrently({ role, home: carillon.storage.home, table: 'user_tokens', calls: DEVICES }, () =>
      swarm.connectAll(DEVICES),
    );
    await eventually(() => assert.equal(swarm.missing(taskId).length, 0), 30);
    // Read before the receipts are written, because they are flushed every 50 ms and a slow machine needs more flushes.
    const queryCount = (await queryCountOf(role)) - before;
    await eventually(async () => assert.equal(await countInboxRows(carillon.storage, taskId), 0), 30);
    console.log(`${DEVICES} devices needed ${queryCount} queries`);
    assert.ok(queryCount < QUERIES_MAX, `${queryCount} queries for ${DEVICES} devices`);
    await eventually(async () =>
      assert.deepEqual(await carillon.counters(taskId), { nativepush: [DEVICES, DEVICES, DEVICES] }),
    );
    assert.ok(role.isAlive);
  });
});
