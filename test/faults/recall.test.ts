import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bucketOfTask } from '#src/domain/task.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import type { Login } from '../support/carillon.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import {
  needsTwoShards,
  outageModes,
  type ShardOutage,
  type Side,
  startWithProxiedShard,
} from '../support/shard-outage.ts';

describe('the recall of tasks while a database is unavailable', needsTwoShards, () => {
  let outage: ShardOutage;
  let login: Login;
  let device: TestDevice;
  const recalls: string[] = [];

  before(async () => {
    outage = await startWithProxiedShard({ gateways: 1 });
    ({ login } = await outage.addDevice('available'));
    device = await connectDevice(outage.carillon.gateways[0] as RoleProcess, login);
    device.client.on('message', (topic, payload) => {
      if (topic === 'recall') recalls.push((JSON.parse(payload.toString()) as { task_id: string }).task_id);
    });
    await device.client.subscribeAsync('recall', { qos: 0 });
  });
  after(async () => {
    await device?.[Symbol.asyncDispose]();
    await outage?.[Symbol.asyncDispose]();
  });

  /** Sends a notification whose slice is in a database of this side, and waits until it was received. */
  async function notifyFrom(side: Side): Promise<bigint> {
    for (;;) {
      const taskId = await outage.notify({ push_token: [login.push_token] }, { body: 'wrong' });
      await eventually(async () => assert.deepEqual(await outage.carillon.counters(taskId), { nativepush: [1, 1, 1] }));
      if (outage.sideOf(bucketOfTask(taskId)) === side) return taskId;
    }
  }

  for (const mode of outageModes)
    test(`continues in the other databases, and here after the outage (${mode})`, async () => {
      const [available, proxied] = [await notifyFrom('available'), await notifyFrom('proxied')];
      outage.fail(mode);
      for (const taskId of [proxied, available])
        await outage.carillon.post('/push/task/cancel', { task_id: taskId, recall: true });
      await eventually(() => assert.ok(recalls.includes(`${available}`), 'the recall has not arrived'), 30);
      assert.ok(!recalls.includes(`${proxied}`));
      await outage.recover();
      await eventually(() => assert.ok(recalls.includes(`${proxied}`), 'the recall has not arrived'), 60);
    });
});
