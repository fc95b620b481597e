import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type ApiResponse, type Carillon, startCarillon, type TestUser } from '../../support/carillon.ts';
import { runConcurrently } from '../../support/concurrent-calls.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';

const DEVICES = 10;

describe('shared commits of concurrent notify calls', () => {
  let carillon: Carillon;
  const users: TestUser[] = [];
  const devices: TestDevice[] = [];

  before(async () => {
    carillon = await startCarillon({ apis: 2, gateways: 2, workers: 2 });
    for (let i = 0; i < DEVICES; i++) {
      const user = await carillon.createUser(`person-${i}`);
      users.push(user);
      const login = await carillon.logIn(user, `phone-${i}`);
      devices.push(await connectDevice(carillon.gateways[i % 2] as RoleProcess, login));
    }
  });
  after(async () => {
    await Promise.all(devices.map((device) => device[Symbol.asyncDispose]()));
    await carillon[Symbol.asyncDispose]();
  });

  const notify = (user: TestUser, requestId: string, body = 'hello', api?: RoleProcess) =>
    carillon.post<{ task_id: number }>(
      '/push/notify',
      { audience: { user_id: [user.userId] }, message: { body }, setting: { request_id: requestId } },
      api ? { api } : {},
    );

  const taskIdOf = ({ data }: ApiResponse<{ task_id: number }>) => data.task_id.toString();

  test('commits 500 concurrent calls in far fewer transactions, and delivers and counts every task', async () => {
    const role = carillon.apis[0] as RoleProcess;
    const answers = await runConcurrently(
      { role, home: carillon.storage.home, table: 'request_keys', calls: 500 },
      () => Promise.all(Array.from({ length: 500 }, (_, i) => notify(users[i % DEVICES] as TestUser, `burst-${i}`))),
    );
    const taskIds = answers.map(taskIdOf);
    assert.equal(new Set(taskIds).size, 500);
    const [row] = await carillon.storage.home.query<{ commits: bigint; keys: bigint }>(
      `select count(distinct xmin::text) as commits, count(*) as keys from request_keys where request_id like 'burst-%'`,
    );
    assert.equal(row?.keys, 500n);
    assert.ok((row?.commits ?? 500n) < 50n, `${row?.commits} commits`);

    await eventually(() => {
      const arrived = new Set(devices.flatMap((device) => device.taskIds));
      assert.equal(taskIds.filter((taskId) => !arrived.has(taskId)).length, 0);
    }, 60);
    await eventually(async () => {
      const { data } = await carillon.post<Record<string, number>[]>('/push/task/detail', {
        list: taskIds.map(BigInt),
      });
      assert.equal(data.length, 500);
      for (const record of data) {
        const { nativepush_target, nativepush_sent, nativepush_received } = record;
        assert.deepEqual([nativepush_target, nativepush_sent, nativepush_received], [1, 1, 1]);
        const others = Object.entries(record).filter(([name]) => name !== 'task_id' && !name.startsWith('nativepush'));
        assert.ok(others.every(([, count]) => count === 0));
      }
    }, 30);
    await checkLaws(carillon.storage);
  });

  test('creates one task for several calls with the same request id in one batch', async () => {
    const user = users[0] as TestUser;
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(user, 'same-batch')));
    assert.equal(new Set(answers.map(taskIdOf)).size, 1);
    assert.equal(answers.filter(({ headers }) => headers.get('carillon-request') === null).length, 1);
    const taskId = taskIdOf(answers[0] as ApiResponse<{ task_id: number }>);
    await eventually(async () => assert.deepEqual(await carillon.counters(BigInt(taskId)), { nativepush: [1, 1, 1] }));
    assert.equal(devices[0]?.taskIds.filter((id) => id === taskId).length, 1);
  });

  test('creates one task for calls with the same request id to two API processes', async () => {
    const user = users[1] as TestUser;
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        [...carillon.apis, ...carillon.apis].map((api) => notify(user, `two-apis-${round}`, 'hello', api)),
      );
      assert.equal(new Set(answers.map(taskIdOf)).size, 1);
    }
    const [row] = await carillon.storage.home.query<{ tasks: bigint }>(
      `select count(*) as tasks from tasks t join request_keys k using (task_id) where k.request_id like 'two-apis-%'`,
    );
    assert.equal(row?.tasks, 20n);
  });

  test('returns the first task and `other-body` for the same request id with another body', async () => {
    const user = users[2] as TestUser;
    const first = await notify(user, 'other-body', 'one');
    const second = await notify(user, 'other-body', 'two');
    assert.equal(taskIdOf(first), taskIdOf(second));
    assert.equal(second.headers.get('carillon-request'), 'repeated; other-body');
    const third = await notify(user, 'other-body', 'one');
    assert.equal(third.headers.get('carillon-request'), 'repeated');
  });

  test('returns the first task for the same request after its show_end_time', async () => {
    const user = users[2] as TestUser;
    const message = { body: 'brief', show_end_time: Math.floor(Date.now() / 1_000) + 2 };
    const send = (setting: object) =>
      carillon.tryPost<{ task_id: number }>('/push/notify', { audience: { user_id: [user.userId] }, message, setting });
    const first = await send({ request_id: 'brief' });
    assert.equal(first.code, 200);
    await eventually(async () => assert.equal((await send({ request_id: `late-${Date.now()}` })).code, 12010));
    const again = await send({ request_id: 'brief' });
    assert.deepEqual([again.code, again.data], [200, first.data]);
    assert.equal(again.headers.get('carillon-request'), 'repeated');
  });

  test('does not claim the request id of a rejected request', async () => {
    const user = users[3] as TestUser;
    const refused = await carillon.tryPost('/push/notify', {
      audience: { user_id: [user.userId] },
      message: {},
      setting: { request_id: 'refused' },
    });
    assert.equal(refused.code, 10002);
    const good = await notify(user, 'refused');
    assert.equal(good.headers.get('carillon-request'), null);
  });
});
