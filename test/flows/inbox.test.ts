import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { placeStatus } from '#src/domain/slice.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectSwarmDevice, gatherSwarm, type SwarmDevice } from '../support/device-swarm.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { finishes, inboxRows, slicesOf } from '../support/ledger.ts';
import { addPhone, addUser } from '../support/phone.ts';

const KEPT_MAX = 100;
const WINDOW = 20;
/** Long enough for everything that a test does before the end. */
const LIVES_SECONDS = 25;

describe('what waits for a device', () => {
  let carillon: Carillon;
  let phones = 0;

  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_GATEWAY_WALK_SECONDS: '600' } });
  });
  after(async () => {
    if (carillon) await checkLaws(carillon.truth);
    await carillon?.[Symbol.asyncDispose]();
  });

  async function newPhone(): Promise<Login & { userId: bigint }> {
    const { truth, appId } = carillon;
    const userId = await addUser(truth.home, appId);
    return { ...(await addPhone(truth, { appId, userId, deviceGuid: `phone-${phones++}` })), userId };
  }
  const connect = (login: Login): Promise<SwarmDevice> =>
    connectSwarmDevice(carillon.gateways[0]?.ports.gateway as number, login);

  /** Sends messages to someone who is not connected, and waits until they lie in the inbox. */
  async function leave(userId: bigint, count: number): Promise<bigint[]> {
    const taskIds: bigint[] = [];
    const end = Math.floor(Date.now() / 1_000) + LIVES_SECONDS;
    for (let i = 0; i < count; i++)
      taskIds.push(await carillon.notify({ user_id: [userId] }, { body: `${i}`, show_end_time: end }));
    return taskIds;
  }
  const lies = (taskId: bigint, rows: number, secondsMax?: number) =>
    eventually(async () => assert.equal(await inboxRows(carillon.truth, taskId), rows), secondsMax);
  const statuses = async (taskId: bigint) =>
    (await slicesOf(carillon.truth, taskId)).flatMap(({ status }) => [...status]);

  test('is the newest hundred, comes in its order whatever the window, and what had no room is failed', async () => {
    const login = await newPhone();
    const taskIds = await leave(login.userId, KEPT_MAX + 5);
    const [lost, kept] = [taskIds.slice(0, 5), taskIds.slice(5)];
    for (const taskId of lost) await lies(taskId, 0);
    for (const taskId of kept) await lies(taskId, 1);
    assert.ok(kept.length > WINDOW);
    using device = await connect(login);
    await eventually(() => assert.equal(device.taskIds.length, KEPT_MAX));
    assert.deepEqual(device.taskIds, kept.map(String));
    for (const taskId of taskIds) await finishes(carillon.truth, taskId, 2 * LIVES_SECONDS);
    for (const taskId of lost) assert.deepEqual(await statuses(taskId), [placeStatus.failed]);
    for (const taskId of kept) assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] });
  });

  test('is not brought when its time is over, even while nobody has taken it out', async () => {
    const login = await newPhone();
    const [old] = (await leave(login.userId, 1)) as [bigint];
    await lies(old, 1);
    for (const worker of carillon.workers) worker.signal('SIGSTOP');
    try {
      for (const db of carillon.truth.shards.all)
        await db.query(`update inbox set expires_at = now() - interval '1 ms' where task_id = $1`, [old]);
      using device = await connect(login);
      device.send({ cmd: 'pingreq' });
      await eventually(() => assert.equal(device.pongs, 1));
      await lies(old, 1);
      assert.deepEqual(device.taskIds, []);
    } finally {
      for (const worker of carillon.workers) worker.signal('SIGCONT');
    }
    await finishes(carillon.truth, old, 2 * LIVES_SECONDS);
    assert.deepEqual(await statuses(old), [placeStatus.expired]);
  });

  test('is not brought when it was cancelled, even while nobody has taken it out', async () => {
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
    await finishes(carillon.truth, cancelled);
    assert.deepEqual(await statuses(cancelled), [placeStatus.cancelled]);
  });
});

const CROWD = 600;
/** One by one, each would take six statements or more. The quicker they are answered, the smaller batches are. */
const STATEMENTS_MAX = 2 * CROWD;

describe(`${CROWD} devices connect at once, with something in each inbox`, () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon();
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Statements so far in all databases of the service, each being a transaction; PostgreSQL tells with a delay. */
  async function statements(): Promise<number> {
    const [row] = await carillon.truth.home.query<{ count: bigint }>(
      `select sum(xact_commit)::bigint as count from pg_stat_database
        where datname like replace(current_database(), '_home', '') || '%'`,
    );
    return Number(row?.count);
  }

  async function settled(): Promise<number> {
    for (const worker of carillon.workers) worker.signal('SIGSTOP');
    return eventually(async () => {
      const before = await statements();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const now = await statements();
      assert.ok(now - before < 30, `${now - before} statements while nothing happens`);
      return now;
    }, 30);
  }

  test('they are looked up, announced and read in batches, and everybody gets it', async () => {
    using swarm = await gatherSwarm(carillon, CROWD);
    const taskId = await carillon.notify('all', { body: 'hello' });
    await eventually(async () => assert.equal(await inboxRows(carillon.truth, taskId), CROWD), 30);
    const before = await settled();
    await swarm.connectAll(CROWD);
    await eventually(() => assert.equal(swarm.missing(taskId).length, 0), 30);
    await eventually(async () => assert.equal(await inboxRows(carillon.truth, taskId), 0), 30);
    const after = await settled();
    console.log(`${CROWD} devices took ${after - before} statements`);
    assert.ok(after - before < STATEMENTS_MAX, `${after - before} statements for ${CROWD} devices`);
    for (const worker of carillon.workers) worker.signal('SIGCONT');
    await eventually(async () =>
      assert.deepEqual(await carillon.counters(taskId), { nativepush: [CROWD, CROWD, CROWD] }),
    );
    assert.ok((carillon.gateways[0] as RoleProcess).alive);
  });
});
