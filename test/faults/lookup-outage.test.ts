import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { eventually } from '../support/eventually.ts';
import { waitUntilFinished } from '../support/ledger.ts';
import { needsTwoShards, type ShardOutage, startWithProxiedShard } from '../support/shard-outage.ts';

interface Found {
  readonly list: readonly Record<string, unknown>[];
  readonly incomplete: boolean;
}

interface Report {
  readonly channels: readonly { readonly sent: number }[];
  readonly incomplete: boolean;
}

describe('searches during the outage of a shard database', needsTwoShards, () => {
  let outage: ShardOutage;

  before(async () => {
    outage = await startWithProxiedShard({ gateways: 1 });
  });
  after(() => outage?.[Symbol.asyncDispose]());

  const post = async (path: string, body: object): Promise<Found> =>
    (await outage.carillon.post<Found>(path, body)).data;
  const postForReport = async (taskId: bigint): Promise<Report> =>
    (await outage.carillon.post<Report>('/push/task/report', { task_id: taskId })).data;
  const lookUp = (text: string) => post('/admin/lookup', { text });

  test('return what the available databases have, and report that the result is incomplete', async () => {
    const near = await outage.addDevice('available');
    const far = await outage.addDevice('proxied');
    await using _device = await outage.connect(outage.carillon.gateways[0] as RoleProcess, near.login);
    const taskId = await outage.notifyFromAvailable(near.login, 'hello');
    await waitUntilFinished(outage.carillon.storage, taskId);
    outage.fail('refuse');
    await eventually(async () => assert.deepEqual(await lookUp(far.login.deviceGuid), { list: [], incomplete: true }));
    const found = await lookUp(near.login.deviceGuid);
    assert.equal(found.incomplete, false);
    assert.equal(found.list[0]?.push_token, near.login.push_token);
    const user = await lookUp(far.userId.toString());
    assert.equal(user.list[0]?.kind, 'user');

    const { list, incomplete } = await post('/admin/device/notifications', { user_id: near.userId });
    assert.deepEqual([list.map((row) => BigInt(row.task_id as number)), incomplete], [[taskId], true]);
    assert.deepEqual(
      (await post('/push/task/trace', { task_id: taskId, user_id: near.userId })).list[0]?.state,
      'acknowledged',
    );
    for (const userId of [near.userId, far.userId]) {
      const devices = await post('/admin/device/find', { user_id: userId });
      assert.deepEqual(
        [devices.list.length, devices.incomplete],
        [userId === near.userId ? 1 : 0, userId !== near.userId],
      );
    }
    const traced = await post('/push/task/trace', { task_id: taskId, user_id: far.userId });
    assert.deepEqual([traced.list, traced.incomplete], [[], true]);
    const others = await post('/admin/device/notifications', { user_id: far.userId });
    assert.deepEqual([others.list, others.incomplete], [[], true]);

    const report = await postForReport(taskId);
    assert.deepEqual([report.channels.map(({ sent }) => sent), report.incomplete], [[1], true]);
    assert.equal((await post('/admin/task/quarantined', {})).incomplete, true);
    const retry = { task_id: taskId };
    const nothing = { task_id: Number(taskId), rows: 0 };
    assert.deepEqual(await post('/admin/task/retry', retry), { ...nothing, incomplete: true });
    const cancelled = await outage.carillon.post<{ finished: boolean; sent: number }>('/push/task/cancel', retry);
    assert.deepEqual([cancelled.data.finished, cancelled.data.sent], [true, 1]);

    await outage.recover();
    assert.equal((await postForReport(taskId)).incomplete, false);
    assert.equal((await post('/admin/task/quarantined', {})).incomplete, false);
    assert.deepEqual(await post('/admin/task/retry', retry), { ...nothing, incomplete: false });
    const complete = await post('/admin/device/notifications', { user_id: near.userId });
    assert.deepEqual([complete.list.length, complete.incomplete], [1, false]);
    assert.equal((await lookUp(far.login.deviceGuid)).list.length, 1);
  });
});
