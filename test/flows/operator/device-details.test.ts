import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';

interface Details {
  readonly online: boolean;
  readonly session: { readonly gateway: string; readonly connected_at: bigint } | null;
  readonly inbox: readonly { readonly task_id: bigint; readonly title: string | null; readonly expire: bigint }[];
}

let carillon: Carillon;

before(async () => {
  carillon = await startCarillon();
});
after(() => carillon[Symbol.asyncDispose]());

const detailsOf = async (push_token: string) =>
  (await carillon.post<Details>('/admin/device/get', { push_token })).data;

test('a device has the notifications that wait in its inbox, and a session while it is connected', async () => {
  const ada = await carillon.createUser('ada');
  const login = await carillon.logIn(ada, 'phone');
  const setting = { expire: 3_600_000 };
  const notify = (title: string) => carillon.notify({ push_token: [login.push_token] }, { title, body: 'x' }, setting);
  const taskIds = [await notify('first'), await notify('second')];
  await eventually(async () => {
    const { session, inbox } = await detailsOf(login.push_token);
    assert.equal(session, null);
    assert.deepEqual(
      inbox.map(({ task_id, title }) => [BigInt(task_id), title]),
      [
        [taskIds[0], 'first'],
        [taskIds[1], 'second'],
      ],
    );
    for (const { expire } of inbox) assert.ok(Number(expire) > Date.now());
  });

  const startedAt = Date.now();
  await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
  await eventually(() => assert.deepEqual(device.taskIds.sort(), taskIds.map(String).sort()));
  await eventually(async () => {
    const { session, inbox, online } = await detailsOf(login.push_token);
    assert.deepEqual(inbox, []);
    assert.equal(online, true);
    assert.ok(session && session.gateway !== '');
    assert.ok(Math.abs(Number(session.connected_at) - startedAt) < 60_000);
  });
});

test('a logout of one device closes its connection within five seconds, and leaves the others connected', async () => {
  const bo = await carillon.createUser('bo');
  const [lost, kept] = [await carillon.logIn(bo, 'lost'), await carillon.logIn(bo, 'kept')];
  await using lostDevice = await connectDevice(carillon.gateways[0] as RoleProcess, lost);
  await using keptDevice = await connectDevice(carillon.gateways[0] as RoleProcess, kept);
  await carillon.post('/admin/device/logout', { push_token: lost.push_token });
  await eventually(() => assert.equal(lostDevice.closes, 1), 5);

  const taskId = await carillon.notify({ user_id: [bo.userId] }, { title: 'Ding', body: 'dong' });
  await eventually(() => assert.deepEqual(keptDevice.taskIds, [String(taskId)]));
  assert.deepEqual(lostDevice.received, []);
  assert.equal(keptDevice.closes, 0);
});
