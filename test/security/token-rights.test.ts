import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { addUser } from '../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';
import { REVOKED_SECONDS_MAX, TOKEN_INVALID } from '../support/revocation-limits.ts';

const NO_PERMISSION = 10010;
const MESSAGE = { body: 'hello' };
const EXPIRED_SECONDS_MAX = 5;

describe('rights of tokens', () => {
  let carillon: Carillon;

  before(async () => {
    carillon = await startCarillon({ gateways: 1, workers: 0 });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  interface CreatedToken {
    readonly token_id: number;
    readonly token: string;
  }

  const call = async <T>(path: string, body: object, token = carillon.adminToken): Promise<T> =>
    (await carillon.post<T>(path, body, { token })).data;
  const createToken = (scopes: readonly string[], { by, groupId }: { by?: string; groupId?: number } = {}) =>
    call<CreatedToken>('/admin/token/create', { name: scopes.join(), scopes, group_id: groupId }, by);
  const codeOf = async (path: string, body: object, token: string) =>
    (await carillon.tryPost(path, body, { token })).code;
  const notifyAll = (token: string) => codeOf('/push/notify', { audience: 'all', message: MESSAGE }, token);

  describe('an admin token with the scope manage', () => {
    test('cannot allow users to send', async () => {
      const { token } = await createToken(['manage']);
      assert.equal(await codeOf('/admin/app/update', { user_push: 'any' }, token), NO_PERMISSION);
      assert.equal(await codeOf('/admin/app/update', { name: 'renamed' }, token), 200);
    });

    test('cannot send with an access token that it creates', async () => {
      await carillon.post('/admin/app/update', { user_push: 'any' });
      const userId = await addUser(carillon.storage.home, carillon.appId);
      const { token } = await createToken(['manage']);
      const user = await call<Login>('/admin/user/token', { user_id: userId }, token);
      assert.equal(await notifyAll(user.token), NO_PERMISSION);
      const userOfAdmin = await call<Login>('/admin/user/token', { user_id: userId });
      assert.equal(await notifyAll(userOfAdmin.token), 200);
      await carillon.post('/admin/app/update', { user_push: 'none' });
    });

    test('cannot revoke a token with a scope that it does not have', async () => {
      const { token } = await createToken(['manage']);
      const { token_id: pushId } = await createToken(['push']);
      assert.equal(await codeOf('/admin/token/revoke', { token_id: pushId }, token), NO_PERMISSION);
      const { token_id: manageId } = await createToken(['manage']);
      assert.equal(await codeOf('/admin/token/revoke', { token_id: manageId }, token), 200);
    });
  });

  describe('a revoked admin token', () => {
    test('revokes the admin tokens that were created with it, and their access tokens and sessions', async () => {
      const [gateway] = carillon.gateways as [RoleProcess];
      const parent = await createToken(['*']);
      const child = await createToken(['*'], { by: parent.token });
      const grandchild = await createToken(['manage'], { by: child.token });
      const userId = await addUser(carillon.storage.home, carillon.appId);
      const body = { user_id: userId, device_guid: `phone-${userId}` };
      const user = await call<Login>('/admin/user/token', body, grandchild.token);
      await using device = await connectDevice(gateway, { ...user, deviceGuid: body.device_guid });
      await carillon.post('/admin/token/revoke', { token_id: parent.token_id });
      await eventually(async () => {
        for (const { token } of [parent, child, grandchild])
          assert.equal(await codeOf('/admin/token/list', {}, token), TOKEN_INVALID);
        assert.equal(await codeOf('/push/task/detail', { list: [1] }, user.token), TOKEN_INVALID);
        assert.equal(device.closes, 1);
      }, REVOKED_SECONDS_MAX);
    });

    test('leaves access tokens valid if the operator wants to keep them', async () => {
      const parent = await createToken(['*']);
      const userId = await addUser(carillon.storage.home, carillon.appId);
      const user = await call<Login>('/admin/user/token', { user_id: userId }, parent.token);
      await carillon.post('/admin/token/revoke', { token_id: parent.token_id, keep_user_tokens: true });
      await eventually(async () => assert.equal(await notifyAll(parent.token), TOKEN_INVALID), REVOKED_SECONDS_MAX);
      assert.equal(await codeOf('/push/task/detail', { list: [1] }, user.token), 200);
    });
  });

  test('a session ends when its access token expires', async () => {
    const [gateway] = carillon.gateways as [RoleProcess];
    const userId = await addUser(carillon.storage.home, carillon.appId);
    const body = { user_id: userId, device_guid: `phone-${userId}` };
    const user = await call<Login>('/admin/user/token', body);
    const { home } = carillon.storage;
    await home.query(`update user_tokens set expires_at = now() + interval '2 s' where app_id = $1 and user_id = $2`, [
      carillon.appId,
      userId,
    ]);
    await using device = await connectDevice(gateway, { ...user, deviceGuid: body.device_guid });
    assert.equal(device.closes, 0);
    await eventually(() => assert.equal(device.closes, 1), EXPIRED_SECONDS_MAX);
  });

  test('an admin token of a group can act only for this group', async () => {
    const { group_id: groupId } = await call<{ group_id: number }>('/admin/group/create', { name: 'own' });
    const { group_id: otherId } = await call<{ group_id: number }>('/admin/group/create', { name: 'other' });
    const { token } = await createToken(['push'], { groupId });
    const send = async (headers: Record<string, string>) => {
      const body = { audience: 'all', message: MESSAGE };
      return (await carillon.tryPost('/push/notify', body, { token, headers })).code;
    };
    assert.equal(await send({}), 200);
    assert.equal(await send({ group_id: `${groupId}` }), 200);
    assert.equal(await send({ group_id: `${otherId}` }), NO_PERMISSION);
    assert.equal(await send({ user_id: '1' }), NO_PERMISSION);
  });
});
