import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUCKETS } from '#src/domain/bucket.ts';
import { bucketOfTask, firstTaskIdAt } from '#src/domain/task.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { recordArrivals } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { waitUntilFinished } from '../support/ledger.ts';
import { copyTask, createDayPartitions } from '../support/old-tasks.ts';
import {
  needsTwoShards,
  outageModes,
  type ShardOutage,
  type Side,
  startWithProxiedShard,
} from '../support/shard-outage.ts';

const PUSHES = 64;
/** Below the 2.5 s after which a database that does not respond counts as unavailable. No push may wait for that. */
const PUSH_MS_MAX = 1_500;
const ARRIVAL_SECONDS_MAX = 12;
const DAY_MS = 24 * 60 * 60 * 1_000;

interface SentPush {
  readonly taskId: bigint;
  readonly by: 'push_token' | 'user_id';
  /** The database that has the slice. */
  readonly side: Side;
  /** The time of the call, by `performance.now()`. */
  readonly at: number;
}

describe('pushes during the outage of a shard database', needsTwoShards, () => {
  let outage: ShardOutage;

  before(async () => {
    outage = await startWithProxiedShard();
  });
  after(() => outage?.[Symbol.asyncDispose]());
  afterEach(() => outage.recover());

  for (const mode of outageModes)
    test(`a push to a user whose devices are all in an available database is delivered (${mode})`, async () => {
      const { carillon } = outage;
      const { userId, login } = await outage.addDevice('available');
      await using device = await outage.connect(carillon.gateways[0] as RoleProcess, login);
      const arrivals = recordArrivals(device);
      const first = await outage.notifyFromAvailable(login, 'the device is connected');
      await eventually(() => assert.ok(arrivals.has(first.toString())));
      outage.fail(mode);
      const sent: SentPush[] = [];
      const send = async (by: SentPush['by'], audience: object) => {
        const at = performance.now();
        const taskId = await outage.notify(audience, { body: 'hello' });
        sent.push({ taskId, by, side: outage.sideOf(bucketOfTask(taskId)), at });
      };
      for (let i = 0; i < PUSHES; i++) {
        await send('push_token', { push_token: [login.push_token] });
        // With `WITHOUT_USERS=1`, the test shows whether these tasks delay the others.
        await send('user_id', { user_id: [userId] });
        await sleep(50);
      }
      const select = (by: SentPush['by'], side: Side) => sent.filter((push) => push.by === by && push.side === side);
      const countMissing = (pushes: readonly SentPush[]) =>
        pushes.filter(({ taskId }) => !arrivals.has(taskId.toString())).length;
      const hasAll = () => countMissing(sent.filter(({ side }) => side === 'available')) === 0;
      await eventually(() => assert.ok(hasAll()), ARRIVAL_SECONDS_MAX).catch(() => undefined); // asserted below
      for (const by of ['push_token', 'user_id'] as const)
        for (const side of ['available', 'proxied'] as const) {
          const pushes = select(by, side);
          const ms = delaysOf(pushes, arrivals);
          const delays =
            ms.length > 0
              ? `median ${ms[ms.length >> 1]?.toFixed(0)} ms, maximum ${ms.at(-1)?.toFixed(0)} ms`
              : 'none delivered';
          console.log(
            `  ${mode}, ${by}, slice in the ${side} database: ${pushes.length} sent, ${countMissing(pushes)} missing, ${delays}`,
          );
        }
      const byToken = select('push_token', 'available');
      const byUser = select('user_id', 'available');
      assert.equal(countMissing(byToken), 0, 'pushes to the push token are missing');
      const missing = countMissing(byUser);
      assert.equal(missing, 0, `${missing} of ${byUser.length} pushes to the user were not delivered`);
      const slowest = Math.max(...delaysOf([...byToken, ...byUser], arrivals));
      assert.ok(slowest <= PUSH_MS_MAX, `the slowest push took ${slowest.toFixed(0)} ms`);
    });

  test('a task that was accepted more than two days ago and becomes due is sent', async () => {
    const { carillon, settings } = outage;
    const { storage } = carillon;
    await createDayPartitions(storage, 5);
    const { login } = await outage.addDevice('available');
    await using device = await outage.connect(carillon.gateways[0] as RoleProcess, login);
    const isReceived = (taskId: bigint) => assert.ok(device.taskIds.includes(taskId.toString()));
    const recent = await outage.notify({ push_token: [login.push_token] }, { body: 'long awaited' });
    await eventually(() => isReceived(recent));
    const old = firstTaskIdAt(new Date(Date.now() - 3.5 * DAY_MS)) + 5n;
    const oldBeforeOutage = old + BigInt(BUCKETS);
    for (const taskId of [old, oldBeforeOutage]) assert.equal(outage.sideOf(bucketOfTask(taskId)), 'available');
    for (const { taskId, dueInMs } of [
      { taskId: old, dueInMs: 10_000 },
      { taskId: oldBeforeOutage, dueInMs: 1_000 },
    ]) {
      const start = Date.now();
      await copyTask(storage, recent, { taskId, dueInMs });
      outage.history.accepted(taskId, start);
    }
    for (const worker of carillon.workers.splice(0)) await worker.stop();
    await carillon.start('worker', settings); // so that it reads the days with open tasks now
    // Proves that such a task is sent while all databases are available.
    await eventually(() => isReceived(oldBeforeOutage), 15);
    await waitUntilFinished(storage, oldBeforeOutage);
    outage.fail('refuse');
    const arrived = await arrives(() => isReceived(old), 25);
    outage.proxy.setMode('open');
    const began = performance.now();
    const arrivedLater = await arrives(() => isReceived(old), 70);
    console.log(
      `  received during the outage: ${arrived}; afterwards: ${arrivedLater}, ${(performance.now() - began).toFixed(0)} ms after its end`,
    );
    assert.ok(arrived, 'the task was not received during the outage');
  });

  test('the history of the outages is correct', () => outage.checkHistory());
});

/** Returns whether a check succeeds in time. */
function arrives(check: () => void, secondsMax: number): Promise<boolean> {
  return eventually(check, secondsMax).then(
    () => true,
    () => false,
  );
}

/** Returns the times from call to arrival in ascending order, without pushes that have not arrived. */
function delaysOf(pushes: readonly SentPush[], arrivals: ReadonlyMap<string, number>): number[] {
  return pushes
    .flatMap(({ taskId, at }) => {
      const arrivedAt = arrivals.get(taskId.toString());
      return arrivedAt === undefined ? [] : [arrivedAt - at];
    })
    .sort((a, b) => a - b);
}
