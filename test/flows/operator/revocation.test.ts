import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../../scripts/dev/seed.ts';
import { type Stack, startStack } from '../../../scripts/stack/stack.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type CallOptions, type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { REVOKED_SECONDS_MAX, TOKEN_INVALID } from '../../support/revocation-limits.ts';

/**
 * Gateways poll every two seconds. Within this time, each gateway has polled at least once, and the API's cache has
 * expired.
 */
const POLL_MS = 3_500;

const LOGIN_REFUSED = 10013;
const UNKNOWN_APP = 40000;
const NOT_AUTHORISED = 0x87;

/** Each test has its own users, phones and apps, and mostly waits. */
const concurrent = { concurrency: 3 };

interface Phone extends AsyncDisposable {
  readonly appId: string;
  readonly login: Login;
  readonly device: TestDevice;
}

describe('revocations take effect everywhere within five seconds', () => {
  let stack: Stack;
  let carillon: Carillon;
  let names = 0;

  before(async () => {
    stack = await startStack();
    carillon = await startCarillon({ stack, apis: 2, gateways: 2, workers: 1 });
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  const newUser = (appId = carillon.appId) => addUser(carillon.storage.home, appId);

  /** Adds and connects a phone. Both API processes have just seen its token. */
  async function connectPhone(gateway: 0 | 1, userId: bigint, appId = carillon.appId): Promise<Phone> {
    const login = await addDevice(carillon.storage, { appId, userId, deviceGuid: `phone-${++names}` });
    return connect(gateway, login, appId);
  }

  async function connect(gateway: 0 | 1, login: Login, appId = carillon.appId): Promise<Phone> {
    const device = await connectDevice(carillon.gateways[gateway] as RoleProcess, login, { protocolVersion: 5 });
    const phone = { appId, login, device, [Symbol.asyncDispose]: () => device[Symbol.asyncDispose]() };
    assert.deepEqual(await codesOf(phone), [200, 200]);
    return phone;
  }

  /** Returns the response code of each API process for a call. */
  const answersOf = (path: string, body: object, token: string | null, appId = carillon.appId) =>
    Promise.all(
      carillon.apis.map(
        async (api) => (await carillon.tryPost(path, body, { token, api, headers: { app_id: appId } })).code,
      ),
    );
  const codesOfToken = (token: string, appId?: string) => answersOf('/push/task/detail', { list: [1] }, token, appId);
  const codesOf = ({ login, appId }: Phone) => codesOfToken(login.token, appId);
  const loginCodes = (user: TestUser) =>
    answersOf('/token/id', { user_id: user.userId, password: user.password }, null);

  const end = async (ended: readonly Phone[], secondsMax: number, code = TOKEN_INVALID) =>
    eventually(async () => {
      assert.deepEqual(
        ended.map(({ device }) => device.closes),
        ended.map(() => 1),
      );
      for (const phone of ended) assert.deepEqual(await codesOf(phone), [code, code]);
    }, secondsMax);

  async function stays(phone: Phone): Promise<void> {
    assert.equal(phone.device.closes, 0);
    assert.deepEqual(await codesOf(phone), [200, 200]);
  }

  /** Ends three sessions of a user. A session of another user and a new session of the same user stay open. */
  async function revokeOneOfTwoUsers(use?: (anew: Phone, userId: bigint) => Promise<void>): Promise<void> {
    const [userId, neighbourId] = [await newUser(), await newUser()];
    await using first = await connectPhone(0, userId);
    await using second = await connectPhone(1, userId);
    await using third = await connectPhone(0, userId);
    await using neighbour = await connectPhone(1, neighbourId);
    const reasons: unknown[] = [];
    for (const { device } of [first, second, third])
      device.client.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode));

    const revokedAt = performance.now();
    await carillon.post('/admin/user/kick', { user_id: userId });
    await using anew = await connectPhone(1, userId);
    await end([first, second, third], REVOKED_SECONDS_MAX - (performance.now() - revokedAt) / 1_000);

    assert.deepEqual(reasons, [NOT_AUTHORISED, NOT_AUTHORISED, NOT_AUTHORISED]);
    for (const { login } of [first, second])
      await assert.rejects(connectDevice(carillon.gateways[0] as RoleProcess, login), 'the revoked token is rejected');
    // Gateways still read the revocation for a while. The new token must not be mistaken for an old one.
    await sleep(POLL_MS);
    await stays(anew);
    await stays(neighbour);
    await use?.(anew, userId);
  }

  /** Disables a user with three phones, and enables them again. The user must then log in again. */
  async function disableAndEnable(): Promise<void> {
    const user = await carillon.createUser(`disabled-${++names}`);
    const { userId } = user;
    await using first = await connectPhone(0, userId);
    await using second = await connectPhone(1, userId);
    await using third = await connectPhone(0, userId);
    await using neighbour = await connectPhone(1, await newUser());

    const revokedAt = performance.now();
    await carillon.post('/admin/user/disable', { user_id: userId });
    await end([first, second, third], REVOKED_SECONDS_MAX - (performance.now() - revokedAt) / 1_000);

    assert.deepEqual(await loginCodes(user), [LOGIN_REFUSED, LOGIN_REFUSED]);
    assert.equal((await carillon.tryPost('/admin/user/token', { user_id: userId })).code, 10000);
    for (const { login } of [first, second, third])
      await assert.rejects(connectDevice(carillon.gateways[0] as RoleProcess, login));

    await carillon.post('/admin/user/enable', { user_id: userId });
    assert.deepEqual(await loginCodes(user), [200, 200]);
    await using anew = await connect(1, await carillon.logIn(user, first.login.deviceGuid));
    await sleep(POLL_MS); // Gateways still read the revocation of the disabled user for a while.
    await stays(anew);
    await stays(neighbour);
    await end([first, second, third], 0);
  }

  /** Disables an app, and enables it again. Its tokens must then be valid as before. */
  async function shutAndOpen(use?: (again: Phone, options: CallOptions) => Promise<void>): Promise<void> {
    const { home } = carillon.storage;
    const appId = `app-${++names}`;
    await carillon.addApp(appId);
    const operator = { token: await seedAdminToken(home, carillon.appId, ['platform']) };
    const adminToken = await seedAdminToken(home, appId);
    const userId = await newUser(appId);
    await using first = await connectPhone(0, userId, appId);
    await using second = await connectPhone(1, userId, appId);
    await using third = await connectPhone(0, await newUser(appId), appId);
    await using neighbour = await connectPhone(1, await newUser());
    assert.deepEqual(await codesOfToken(adminToken, appId), [200, 200]);

    const disabledAt = performance.now();
    await carillon.post('/admin/app/disable', { target_app_id: appId }, operator);
    await end([first, second, third], REVOKED_SECONDS_MAX - (performance.now() - disabledAt) / 1_000, UNKNOWN_APP);

    assert.deepEqual(await codesOfToken(adminToken, appId), [UNKNOWN_APP, UNKNOWN_APP]);
    const login = { user_id: userId, password: 'whatever' };
    assert.deepEqual(await answersOf('/token/id', login, null, appId), [UNKNOWN_APP, UNKNOWN_APP]);
    await assert.rejects(connectDevice(carillon.gateways[0] as RoleProcess, first.login));

    await carillon.post('/admin/app/enable', { target_app_id: appId }, operator);
    await using again = await connect(1, first.login, appId);
    await sleep(POLL_MS); // Gateways still read the revocation of the disabled app for a while.
    await stays(again);
    await stays(neighbour);
    await use?.(again, { token: adminToken, headers: { app_id: appId } });

    // Disable the app once more and add the oldest revocation again as the last row. Rows are read in no particular
    // order, and the latest time counts.
    await carillon.post('/admin/app/disable', { target_app_id: appId }, operator);
    await home.query('insert into revocations (app_id, at) select $1, min(at) from revocations where app_id = $1', [
      appId,
    ]);
    await end([again], REVOKED_SECONDS_MAX, UNKNOWN_APP);
  }

  describe('with NATS', concurrent, () => {
    test("a user's sessions on two gateways and their tokens end, but a token that is created afterwards stays valid", () =>
      revokeOneOfTwoUsers(async ({ device }, userId) => {
        const taskId = await carillon.notify({ user_id: [userId] }, { body: 'welcome back' });
        await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]));
      }));

    test(
      'sessions, tokens and logins of a disabled user end, and the user can log in again after being enabled',
      disableAndEnable,
    );

    test('sessions of a user end when the password is changed, and only the new password is accepted', async () => {
      const user = await carillon.createUser('forgetful');
      const { userId } = user;
      await using first = await connectPhone(0, userId);
      await using second = await connectPhone(1, userId);
      const password = 'a better password';

      const revokedAt = performance.now();
      await carillon.post('/admin/user/password', { user_id: userId, password });
      await end([first, second], REVOKED_SECONDS_MAX - (performance.now() - revokedAt) / 1_000);

      assert.deepEqual(await loginCodes(user), [LOGIN_REFUSED, LOGIN_REFUSED]);
      assert.deepEqual(await loginCodes({ ...user, password }), [200, 200]);
      await using anew = await connect(1, await carillon.logIn({ ...user, password }, first.login.deviceGuid));
      await sleep(POLL_MS);
      await stays(anew);

      await carillon.post('/admin/user/password', { user_id: userId });
      await end([anew], REVOKED_SECONDS_MAX);
      assert.deepEqual(
        await loginCodes({ ...user, password }),
        [LOGIN_REFUSED, LOGIN_REFUSED],
        'the password was removed',
      );
    });

    test('all sessions of a disabled app end and calls return 40000, and its tokens are valid again when it is enabled', () =>
      shutAndOpen(async ({ device, login }, options) => {
        const taskId = await carillon.notify({ push_token: [login.push_token] }, { body: 'open' }, {}, options);
        await eventually(() => assert.deepEqual(device.taskIds, [taskId.toString()]));
      }));

    test('one token and its session end, but no other tokens or sessions of that user', async () => {
      const userId = await newUser();
      await using first = await connectPhone(0, userId);
      await using second = await connectPhone(1, userId);
      await using third = await connectPhone(0, userId);

      await carillon.post('/token/logout', {}, { token: second.login.token });

      await end([second], REVOKED_SECONDS_MAX);
      await sleep(POLL_MS); // By then, any session that was closed by mistake would have ended.
      await stays(first);
      await stays(third);
    });

    test('one admin token is revoked, and other admin tokens stay valid', async () => {
      const made = await carillon.post<{ token: string; token_id: number }>('/admin/token/create', {
        name: 'to be revoked',
        scopes: ['push'],
      });
      const { token, token_id } = made.data;
      assert.deepEqual(await codesOfToken(token), [200, 200]);

      await carillon.post('/admin/token/revoke', { token_id });

      await eventually(
        async () => assert.deepEqual(await codesOfToken(token), [TOKEN_INVALID, TOKEN_INVALID]),
        REVOKED_SECONDS_MAX,
      );
      assert.deepEqual(await codesOfToken(carillon.adminToken), [200, 200]);
    });
  });

  describe('without NATS', concurrent, () => {
    before(() => stack.kill('nats'));
    after(() => stack.start('nats'));

    test("a user's sessions and their tokens end, but a token that is created afterwards stays valid", () =>
      revokeOneOfTwoUsers());
    test('sessions, tokens and logins of a disabled user end', disableAndEnable);
    test('all sessions of a disabled app end', () => shutAndOpen());
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
