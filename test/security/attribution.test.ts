import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon, type TestUser } from '../support/carillon.ts';

const PARALLEL_CALLS = 60;

interface TokenOfTask {
  readonly token_kind: string | null;
  readonly token_id: number | null;
  readonly token_parent: number | null;
}

describe('the token of a task', () => {
  let carillon: Carillon;
  let ada: TestUser;
  let parentId: number;

  before(async () => {
    carillon = await startCarillon({ gateways: 0, workers: 0 });
    ada = await carillon.createUser('ada');
    const { data } = await carillon.post<{ token_id: number }[]>('/admin/token/list', {});
    parentId = data[0]?.token_id as number;
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  const createToken = async (fields: object = {}) => {
    const body = { name: 'sender', scopes: ['push'], ...fields };
    return (await carillon.post<{ token: string; token_id: number }>('/admin/token/create', body)).data;
  };
  const tokenOf = async (taskId: bigint, token = carillon.adminToken): Promise<TokenOfTask> => {
    const { data } = await carillon.post<{ list: TokenOfTask[] }>(
      '/push/task/list',
      { after: taskId + 1n, limit: 1 },
      { token },
    );
    const [{ token_kind, token_id, token_parent }] = data.list as [TokenOfTask];
    return { token_kind, token_id, token_parent };
  };
  const send = (token: string, headers: Record<string, string> = {}, setting: object = {}) =>
    carillon.notify({ user_id: [ada.userId] }, { body: 'hello' }, setting, { token, headers });

  /** The ID of an access token is the start of its hash, so that its tasks can be found with the token. */
  const idOfAccessToken = (token: string) =>
    Number(createHash('sha256').update(token).digest().readBigUInt64BE(0) >> 11n);

  test('is recorded for every way to send', async () => {
    const { group_id: groupId } = (await carillon.post<{ group_id: number }>('/admin/group/create', { name: 'g' }))
      .data;
    const admin = await createToken();
    const ofGroup = await createToken({ group_id: groupId });
    const login = await carillon.logIn(ada, 'phone');
    const { data: created } = await carillon.post<{ token: string }>('/admin/user/token', { user_id: ada.userId });

    const byAdmin = { token_kind: 'admin', token_id: admin.token_id, token_parent: null };
    assert.deepEqual(await tokenOf(await send(admin.token)), byAdmin);
    assert.deepEqual(await tokenOf(await send(admin.token, { user_id: `${ada.userId}` })), byAdmin);
    assert.deepEqual(await tokenOf(await send(admin.token, { group_id: `${groupId}` })), byAdmin);
    assert.deepEqual(await tokenOf(await send(ofGroup.token)), { ...byAdmin, token_id: ofGroup.token_id });
    assert.deepEqual(await tokenOf(await send(login.token)), {
      token_kind: 'user',
      token_id: idOfAccessToken(login.token),
      token_parent: null,
    });
    assert.deepEqual(await tokenOf(await send(created.token)), {
      token_kind: 'user',
      token_id: idOfAccessToken(created.token),
      token_parent: parentId,
    });
    const unattributed = await carillon.storage.home.query('select 1 from tasks where token_id is null');
    assert.deepEqual(unattributed, []);
  });

  test('is recorded for each of the calls that share a commit', async () => {
    const senders = await Promise.all(Array.from({ length: 3 }, () => createToken()));
    const calls = Array.from({ length: PARALLEL_CALLS }, async (_, i) => {
      const sender = senders[i % senders.length] as { token: string; token_id: number };
      return { taskId: await send(sender.token), tokenId: sender.token_id };
    });
    for (const { taskId, tokenId } of await Promise.all(calls))
      assert.equal((await tokenOf(taskId)).token_id, tokenId, `task ${taskId}`);
  });

  test('stays the token of the first request if another token repeats the request', async () => {
    const [first, second] = await Promise.all([createToken(), createToken()]);
    const taskId = await send(first.token, {}, { request_id: 'once' });
    assert.equal(await send(second.token, {}, { request_id: 'once' }), taskId);
    assert.equal((await tokenOf(taskId)).token_id, first.token_id);
  });

  test('is not shown to users', async () => {
    const login = await carillon.logIn(ada, 'phone');
    const taskId = await send(carillon.adminToken, { user_id: `${ada.userId}` });
    assert.deepEqual(await tokenOf(taskId, login.token), { token_kind: null, token_id: null, token_parent: null });
  });
});
