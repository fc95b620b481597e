import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

interface Row {
  readonly task_id: number;
  readonly title: string | null;
  readonly accepted_at: number;
  readonly device_guid: string;
  readonly push_token: string | null;
  readonly channel: string;
  readonly state: string;
  readonly clicked: boolean;
  readonly why: string;
}
interface Page {
  readonly user_id: number;
  readonly list: readonly Row[];
  readonly next: number | null;
  readonly why: string | null;
  readonly incomplete: boolean;
}

describe('the notifications of a user', () => {
  let carillon: Carillon;
  let ada: TestUser;
  let phone: Login;
  let tablet: Login;
  /** The tasks to Ada, the latest first. */
  const taskIds: bigint[] = [];

  const read = async (body: object): Promise<Page> =>
    (await carillon.post<Page>('/admin/device/notifications', body)).data;
  const readAll = async (body: object): Promise<Row[]> => {
    const rows: Row[] = [];
    let after: number | null | undefined;
    do {
      const { list, next } = await read({ ...body, ...(after && { after }) });
      rows.push(...list);
      after = next;
    } while (after !== null);
    return rows;
  };

  before(async () => {
    carillon = await startCarillon({
      // Tasks to all devices and to tags are expanded by ranges, even with few devices.
      settings: { CARILLON_ACKNOWLEDGE_SECONDS: '2', CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '1' },
    });
    ada = await carillon.createUser('ada');
    phone = await carillon.logIn(ada, 'phone');
    tablet = await carillon.logIn(ada, 'tablet');
    const bo = await carillon.createUser('bo');
    const other = await carillon.logIn(bo, 'other');
    await carillon.post('/device/bind', { provider: 1, token: 'dead-tablet' }, { token: tablet.token });
    await carillon.post('/device/tag', { add: ['news'] }, { token: phone.token });
    await using _phone = await connectDevice(carillon.gateways[0] as RoleProcess, phone);
    const audiences = [
      { user_id: [ada.userId] },
      'all' as const,
      { user_id: [bo.userId] },
      { push_token: [tablet.push_token] },
      { tag: ['news'] },
      { push_token: [other.push_token] },
      { user_id: [ada.userId, bo.userId] },
    ];
    for (const [i, audience] of audiences.entries()) {
      const taskId = await carillon.notify(audience, { title: `title ${i}` });
      if (![2, 5].includes(i)) taskIds.unshift(taskId);
    }
    const trace = async (taskId: bigint) =>
      (await carillon.post<{ list: { state: string }[] }>('/push/task/trace', { task_id: taskId, user_id: ada.userId }))
        .data.list;
    // The tablet cannot be reached, so its notifications wait in the inbox.
    await eventually(async () => {
      for (const taskId of taskIds)
        for (const { state } of await trace(taskId)) assert.ok(['acknowledged', 'open', 'outside'].includes(state));
      const { list } = await read({ user_id: ada.userId });
      assert.equal(list.filter(({ state, channel }) => state === 'open' && channel === 'nativepush').length, 4);
      assert.equal(list.filter(({ state }) => state === 'acknowledged').length, 4);
    });
    await waitUntilFinished(carillon.storage, taskIds[1] as bigint);
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('lists lists, tags and all devices, the latest first, one row for each device', async () => {
    const { user_id, list, next, incomplete } = await read({ user_id: ada.userId });
    assert.deepEqual([BigInt(user_id), next, incomplete], [ada.userId, null, false]);
    assert.deepEqual(
      list.map(({ title, device_guid, state }) => [title, device_guid, state]),
      [
        ['title 6', 'phone', 'acknowledged'],
        ['title 6', 'tablet', 'open'],
        ['title 4', 'phone', 'acknowledged'],
        ['title 3', 'tablet', 'open'],
        ['title 1', 'phone', 'acknowledged'],
        ['title 1', 'tablet', 'open'],
        ['title 0', 'phone', 'acknowledged'],
        ['title 0', 'tablet', 'open'],
      ],
    );
    assert.deepEqual(
      [...new Set(list.map(({ task_id }) => BigInt(task_id)))],
      taskIds,
      'every task to the user is listed',
    );
  });

  test('lists the notifications of one device', async () => {
    const { list } = await read({ push_token: tablet.push_token });
    assert.deepEqual(
      list.map(({ title, push_token }) => [title, push_token]),
      ['title 6', 'title 3', 'title 1', 'title 0'].map((title) => [title, tablet.push_token]),
    );
  });

  test('has the state and the explanation of /push/task/trace, which accepts the IDs of each row', async () => {
    for (const { task_id, push_token, state, why, device_guid } of (await read({ user_id: ada.userId })).list) {
      const { data } = await carillon.post<{ list: object[] }>('/push/task/trace', { task_id, push_token });
      assert.equal(data.list.length, 1);
      const { channels: _channels, attempts: _attempts, ...traced } = data.list[0] as Record<string, unknown>;
      assert.deepEqual(traced, { push_token, device_guid, state, why });
    }
  });

  test('pages have whole tasks, and together all rows', async () => {
    const all = (await read({ user_id: ada.userId })).list;
    for (const limit of [1, 2, 3, 5, 8]) {
      const { list } = await read({ user_id: ada.userId, limit });
      assert.ok(list.length <= Math.max(limit, 2));
      assert.deepEqual(await readAll({ user_id: ada.userId, limit }), all);
    }
  });

  test('lists nothing for a user without devices', async () => {
    const eve = await carillon.createUser('eve');
    const page = await read({ user_id: eve.userId });
    assert.deepEqual(page, {
      user_id: Number(eve.userId),
      list: [],
      next: null,
      why: "The user has never logged in on a device in this app. Check that the app starts Carillon after the user's consent, and logs in with this user ID.",
      incomplete: false,
    });
  });

  test('lists devices that a disabled user was logged out of, which the trace of the user explains', async () => {
    await carillon.post('/admin/user/disable', { user_id: ada.userId });
    const { list } = await read({ user_id: ada.userId });
    assert.equal(list.length, 8);
    assert.ok(list.every(({ push_token }) => push_token === null));
    const [first] = list as [Row];
    const { data } = await carillon.post<{ list: { why: string; device_guid: string }[] }>('/push/task/trace', {
      task_id: first.task_id,
      user_id: ada.userId,
    });
    assert.equal(data.list.find(({ device_guid }) => device_guid === first.device_guid)?.why, first.why);
  });
});
