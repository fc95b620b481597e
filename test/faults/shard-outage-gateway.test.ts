import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bucketOfTask } from '#src/domain/task.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { queryCountOf } from '../support/concurrent-calls.ts';
import { eventually } from '../support/eventually.ts';
import { countInboxRows } from '../support/ledger.ts';
import { needsTwoShards, outageModes, type ShardOutage, startWithProxiedShard } from '../support/shard-outage.ts';

const RECORD_MS_MAX = 2_000;
const WARNINGS_PER_SECOND_MAX = 2;
/** Time for a gateway to start a statement after an acknowledgement. A statement that hangs has no event to wait for. */
const STATEMENT_MS = 300;
const WATCH_MS = 3_000;
/** One unacknowledged notification at a time, so that the gateway reads the inbox again after each acknowledgement. */
const ONE_AT_A_TIME = { receiveMaximum: 1 };

describe('inboxes and receipts during the outage of a shard database', needsTwoShards, () => {
  let outage: ShardOutage;

  before(async () => {
    outage = await startWithProxiedShard();
  });
  after(() => outage?.[Symbol.asyncDispose]());
  afterEach(() => outage.recover());

  const countLogged = (event: string) => outage.carillon.logLines.filter((line) => line.includes(event)).length;

  /** Returns the only slice of a task. */
  async function readSlice(taskId: bigint) {
    const [slice] = await outage.carillon.storage.shards
      .dbFor(bucketOfTask(taskId))
      .query<{ received: string; state: string; epoch: number }>(
        'select received::text, state, epoch from slices where task_id = $1',
        [taskId],
      );
    return slice;
  }

  for (const mode of outageModes) {
    test(`the inbox of a device in an available database is delivered while the gateway cannot read another inbox (${mode})`, async () => {
      const { carillon, proxy } = outage;
      const [gateway] = carillon.gateways as [RoleProcess];
      const [available, proxied] = [await outage.addDevice('available'), await outage.addDevice('proxied')];
      const waiting: bigint[] = [];
      for (let i = 0; i < 4; i++) waiting.push(await outage.notifyFromAvailable(proxied.login, `proxied ${i}`));
      const taskId = await outage.notifyFromAvailable(available.login, 'available');
      for (const inInbox of [...waiting, taskId])
        await eventually(async () => assert.equal(await countInboxRows(carillon.storage, inInbox), 1));
      using slow = await outage.connectSilent(gateway, proxied.login, ONE_AT_A_TIME);
      await eventually(() => assert.equal(slow.taskIds.length, 1));
      outage.fail(mode);
      slow.acknowledge();
      await sleep(STATEMENT_MS);

      const began = performance.now();
      await using device = await outage.connect(gateway, available.login);
      const connectedMs = performance.now() - began;
      const isReceived = () => assert.ok(device.taskIds.includes(taskId.toString()));
      const arrived = await eventually(isReceived, 12).then(
        () => true,
        () => false,
      );
      const arrival = arrived ? `after ${(performance.now() - began).toFixed(0)} ms` : 'not within 12 s';
      console.log(`  ${mode}: connected after ${connectedMs.toFixed(0)} ms, notification received ${arrival}`);
      console.log(`  inbox-read-failed was logged ${countLogged('inbox-read-failed')} times`);
      proxy.setMode('open');
      await eventually(isReceived, 20);
      console.log(`  after the outage: received ${(performance.now() - began).toFixed(0)} ms after the connect`);
      assert.ok(arrived, 'the device in the available database did not receive its notification during the outage');
    });

    test(`receipts of an available database are recorded while those of a device in the other one wait (${mode})`, async () => {
      const { carillon } = outage;
      const [gateway] = carillon.gateways as [RoleProcess];
      const [available, proxied] = [await outage.addDevice('available'), await outage.addDevice('proxied')];
      // The slice is in an available database, and the inbox row in the other one.
      const waitingTaskId = await outage.notifyFromAvailable(proxied.login, 'for the proxied device');
      await eventually(async () => assert.equal(await countInboxRows(carillon.storage, waitingTaskId), 1));
      using slow = await outage.connectSilent(gateway, proxied.login, ONE_AT_A_TIME);
      await using device = await outage.connect(gateway, available.login);
      await eventually(() => assert.equal(slow.taskIds.length, 1));
      const first = await outage.notifyFromAvailable(available.login, 'the device is connected');
      await eventually(async () => assert.equal((await readSlice(first))?.received, '1'));
      outage.fail(mode);
      slow.acknowledge();
      await sleep(STATEMENT_MS);

      const queriesBefore = await queryCountOf(gateway);
      const began = performance.now();
      const taskId = await outage.notifyFromAvailable(available.login, 'for the available device');
      await eventually(() => assert.ok(device.taskIds.includes(taskId.toString())), 12);
      const arrivedMs = performance.now() - began;
      const isRecorded = await eventually(async () => assert.equal((await readSlice(taskId))?.received, '1'), 10).then(
        () => true,
        () => false,
      );
      const recordedMs = performance.now() - began;
      await sleep(WATCH_MS);
      const warnings = countLogged('receipts-write-failed');
      const seconds = (performance.now() - began) / 1_000;
      const queriesPerSecond = ((await queryCountOf(gateway)) - queriesBefore) / seconds;
      console.log(
        `  ${mode}: received after ${arrivedMs.toFixed(0)} ms, recorded: ${isRecorded}, after ${recordedMs.toFixed(0)} ms`,
      );
      console.log(`  slice of the proxied device: ${JSON.stringify(await readSlice(waitingTaskId))}`);
      console.log(
        `  ${warnings} warnings in ${seconds.toFixed(1)} s, ${queriesPerSecond.toFixed(0)} queries of the gateway per second`,
      );
      const delayMs = recordedMs - arrivedMs;
      assert.ok(isRecorded, 'the receipt was not recorded during the outage');
      assert.ok(delayMs < RECORD_MS_MAX, `the receipt was recorded ${delayMs.toFixed(0)} ms after the notification`);
      assert.ok(
        warnings <= WARNINGS_PER_SECOND_MAX * seconds,
        `${warnings} warnings in ${seconds.toFixed(1)} s: the write is retried without a delay`,
      );
    });
  }

  test('the history of the outages is correct', () => outage.checkHistory());
});
