import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { slicesOf, waitUntilFinished } from '../../support/ledger.ts';

/** Long enough to cancel the task on a busy machine. */
const CANCELLED_HOLD_SECONDS = 10;
const SHORT_HOLD_SECONDS = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;

interface ListedTask {
  readonly task_id: number;
  readonly state: string;
  readonly accepted_at: number;
  readonly due_at: number;
  readonly end_at: number;
  readonly cancelled_at: number | null;
}

describe('a task with hold_seconds', () => {
  let carillon: Carillon;
  let user: TestUser;
  let login: Login;

  before(async () => {
    carillon = await startCarillon();
    user = await carillon.createUser('ada');
    login = await carillon.logIn(user, 'phone');
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function listed(taskId: bigint): Promise<ListedTask> {
    const { data } = await carillon.post<{ list: ListedTask[] }>('/push/task/list', {});
    const task = data.list.find(({ task_id }) => BigInt(task_id) === taskId);
    assert.ok(task, `task ${taskId} is not listed`);
    return task;
  }

  const hold = (seconds: number) =>
    carillon.notify({ user_id: [user.userId] }, { body: 'hold on' }, { hold_seconds: seconds });

  test('is sent to no device if it is cancelled in time, and its target counter stays 0', async () => {
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const taskId = await hold(CANCELLED_HOLD_SECONDS);
    const held = await listed(taskId);
    assert.deepEqual([held.state, held.cancelled_at], ['held', null]);

    const { data } = await carillon.post('/push/task/cancel', { task_id: taskId });
    assert.deepEqual(data, { task_id: Number(taskId), finished: false, sent: 0 });
    await waitUntilFinished(carillon.storage, taskId, CANCELLED_HOLD_SECONDS + 20);

    const cancelled = await listed(taskId);
    assert.equal(cancelled.state, 'cancelled');
    const { accepted_at: acceptedAt, due_at: dueAt, cancelled_at: cancelledAt } = cancelled;
    assert.ok(acceptedAt <= Number(cancelledAt) && Number(cancelledAt) < dueAt, `${cancelledAt} is in the hold`);
    assert.deepEqual(await carillon.counters(taskId), {});
    assert.deepEqual(await slicesOf(carillon.storage, taskId), []);
    assert.deepEqual(device.taskIds, []);
  });

  test('is delivered after the hold, and expires a day after the hold', async () => {
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const taskId = await hold(SHORT_HOLD_SECONDS);
    const { accepted_at: acceptedAt, due_at: dueAt, end_at: endAt } = await listed(taskId);
    assert.ok(Math.abs(dueAt - acceptedAt - SHORT_HOLD_SECONDS * 1_000) < 1_000, `due ${dueAt - acceptedAt} ms later`);
    assert.equal(endAt, dueAt + DAY_MS);

    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }), 20);
    assert.deepEqual(device.taskIds, [taskId.toString()]);
    const [sent] = await carillon.storage.home.query<{ early: boolean }>('select clock_timestamp() < $1 as early', [
      new Date(dueAt),
    ]);
    assert.equal(sent?.early, false);
  });
});
