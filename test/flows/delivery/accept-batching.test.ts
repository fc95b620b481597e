import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Answer, type Carillon, type Person, startCarillon } from '../../support/carillon.ts';
import { together } from '../../support/concurrent-calls.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';

const DEVICES = 10;

describe('accept shares commits between concurrent calls', () => {
  let carillon: Carillon;
  const people: Person[] = [];
  const devices: TestDevice[] = [];

  before(async () => {
    carillon = await startCarillon({ apis: 2, gateways: 2, workers: 2 });
    for (let i = 0; i < DEVICES; i++) {
      const person = await carillon.addPerson(`person-${i}`);
      people.push(person);
      const login = await carillon.logIn(person, `phone-${i}`);
      devices.push(await connectDevice(carillon.gateways[i % 2] as RoleProcess, login));
    }
  });
  after(async () => {
    await Promise.all(devices.map((device) => device[Symbol.asyncDispose]()));
    await carillon[Symbol.asyncDispose]();
  });

  const notify = (person: Person, requestId: string, body = 'hello', api?: RoleProcess) =>
    carillon.post<{ task_id: number }>(
      '/push/notify',
      { audience: { user_id: [person.userId] }, message: { body }, setting: { request_id: requestId } },
      api ? { api } : {},
    );

  const taskIdOf = ({ data }: Answer<{ task_id: number }>) => data.task_id.toString();

  test('500 calls at once: far fewer commits, every one delivered and counted', async () => {
    const role = carillon.apis[0] as RoleProcess;
    const answers = await together({ role, home: carillon.truth.home, table: 'request_keys', calls: 500 }, () =>
      Promise.all(Array.from({ length: 500 }, (_, i) => notify(people[i % DEVICES] as Person, `burst-${i}`))),
    );
    const taskIds = answers.map(taskIdOf);
    assert.equal(new Set(taskIds).size, 500);
    const [row] = await carillon.truth.home.query<{ commits: bigint; keys: bigint }>(
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
    await checkLaws(carillon.truth);
  });

  test('the same request id twice inside one batch is one task', async () => {
    const person = people[0] as Person;
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(person, 'same-batch')));
    assert.equal(new Set(answers.map(taskIdOf)).size, 1);
    assert.equal(answers.filter(({ headers }) => headers.get('carillon-request') === null).length, 1);
    const taskId = taskIdOf(answers[0] as Answer<{ task_id: number }>);
    await eventually(async () => assert.deepEqual(await carillon.counters(BigInt(taskId)), { nativepush: [1, 1, 1] }));
    assert.equal(devices[0]?.taskIds.filter((id) => id === taskId).length, 1);
  });

  test('the same request id from two API processes is one task', async () => {
    const person = people[1] as Person;
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        [...carillon.apis, ...carillon.apis].map((api) => notify(person, `two-apis-${round}`, 'hello', api)),
      );
      assert.equal(new Set(answers.map(taskIdOf)).size, 1);
    }
    const [row] = await carillon.truth.home.query<{ tasks: bigint }>(
      `select count(*) as tasks from tasks t join request_keys k using (task_id) where k.request_id like 'two-apis-%'`,
    );
    assert.equal(row?.tasks, 20n);
  });

  test('the same request id with another body answers the first task and says so', async () => {
    const person = people[2] as Person;
    const first = await notify(person, 'other-body', 'one');
    const second = await notify(person, 'other-body', 'two');
    assert.equal(taskIdOf(first), taskIdOf(second));
    assert.equal(second.headers.get('carillon-request'), 'repeated; other-body');
    const third = await notify(person, 'other-body', 'one');
    assert.equal(third.headers.get('carillon-request'), 'repeated');
  });

  test('a refused request claims nothing: its request id is free for a good one', async () => {
    const person = people[3] as Person;
    const refused = await carillon.tryPost('/push/notify', {
      audience: { user_id: [person.userId] },
      message: {},
      setting: { request_id: 'refused' },
    });
    assert.equal(refused.code, 10002);
    const good = await notify(person, 'refused');
    assert.equal(good.headers.get('carillon-request'), null);
  });
});
