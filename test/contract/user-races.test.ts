import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Carillon, startCarillon } from '../support/carillon.ts';

/** Before these races were fixed, each test failed in several of these rounds. */
const ROUNDS = 40;

describe('concurrent calls for one user or device', () => {
  let carillon: Carillon;
  let made = 1_000;

  before(async () => {
    carillon = await startCarillon({ apis: 2, gateways: 0, workers: 0 });
  });
  after(() => carillon[Symbol.asyncDispose]());

  const newUser = async () => {
    const userId = ++made;
    await carillon.post('/admin/user/create', { user_id: userId });
    return userId;
  };

  /** Returns the codes of concurrent calls, which alternate between both API processes. */
  const codesOf = (...calls: readonly (readonly [path: string, body: object])[]) =>
    Promise.all(
      calls.map(async ([path, body], i) => {
        const api = carillon.apis[i % 2];
        return (await carillon.tryPost(path, body, api ? { api } : {})).code;
      }),
    );

  test('a login on a device that is being deleted returns a token', async () => {
    const [first, second] = [await newUser(), await newUser()];
    for (let round = 0; round < ROUNDS; round++) {
      const device = { device_guid: `erased-${round}` };
      await carillon.post('/admin/user/token', { user_id: first, ...device });
      const [one, two, three] = await codesOf(
        ['/admin/user/token', { user_id: first, ...device }],
        ['/admin/user/token', { user_id: second, ...device }],
        ['/admin/user/token', { user_id: first, ...device }],
        ['/admin/device/delete', device],
        ['/admin/device/delete', device],
      );
      assert.deepEqual([one, two, three], [200, 200, 200]);
    }
  });

  test('the ID of a user who is being deleted is not assigned again', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = { user_id: await newUser() };
      const codes = await codesOf(
        ['/admin/user/delete', user],
        ['/admin/user/create', user],
        ['/admin/user/create', user],
        ['/admin/user/create', user],
      );
      assert.deepEqual(codes, [200, 10004, 10004, 10004]);
    }
  });

  test('only one of several concurrent requests can assign a name', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `wanted-${round}`;
      const userId = await newUser();
      const codes = await codesOf(
        ['/admin/user/create', { name }],
        ['/admin/user/create', { name }],
        ['/admin/user/update', { user_id: userId, name }],
      );
      assert.deepEqual(codes.sort(), [10004, 10004, 200].sort());
    }
  });

  test('a user who is deleted during a login leaves no device and no token', async () => {
    const users: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const userId = await newUser();
      users.push(userId);
      const device = { user_id: userId, device_guid: `left-${round}` };
      const codes = await codesOf(
        ['/admin/user/token', device],
        ['/admin/user/delete', { user_id: userId }],
        ['/admin/user/token', { ...device, device_guid: `left-${round}-b` }],
        ['/admin/user/kick', { user_id: userId }],
      );
      for (const code of codes) assert.ok([200, 10000].includes(code), `${code}`);
    }
    const { home, shards } = carillon.storage;
    const owned = await Promise.all(
      shards.all.map((db) => db.query('select device_guid from devices where user_id = any($1)', [users])),
    );
    assert.deepEqual(owned.flat(), []);
    assert.deepEqual(await home.query('select from user_tokens where user_id = any($1)', [users]), []);
  });

  test('logs no errors', () => {
    assert.deepEqual(carillon.errorLines, []);
  });
});
