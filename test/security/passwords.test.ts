import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateApp } from '#src/storage/accounts/apps.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon, type TestUser } from '../support/carillon.ts';
import { connectDevice } from '../support/device.ts';
import { eventually } from '../support/eventually.ts';

const ACCEPTED = 200;
const BAD_PARAMETER = 10002;
const TOKEN_INVALID = 10008;
const LOGIN_REFUSED = 10013;
const TOO_MANY_LOGINS = 10014;
const FAILURES = 5;
const NEW_PASSWORD = 'a better password';

let carillon: Carillon;
let users = 0;

before(async () => {
  const settings = { CARILLON_LOGIN_FAILURES_PER_ADDRESS: '100000', CARILLON_REGISTRATIONS_PER_HOUR: '100000' };
  carillon = await startCarillon({ settings });
  await updateApp(carillon.storage.home, carillon.appId, { registration: true, name: 'Bells of Shandon' });
});
after(() => carillon?.[Symbol.asyncDispose]());

const newName = () => `person${++users}`;

describe('a password that is easy to guess', () => {
  const guessable: Readonly<Record<string, readonly string[]>> = {
    'a common password': ['password', '12345678', 'iloveyou', 'sunshine', 'a1b2c3d4', 'woaini1314', 'trustno1'],
    'a common password in other letters': ['PASSWORD', 'P@ssw0rd', 'Tru$tNo1', 'ｐａｓｓｗｏｒｄ'],
    'a common word with digits or symbols': ['password1', 'Password123!', 'welcome2026', '123qwerty', 'dragon99!'],
    'a repeated pattern': ['aaaaaaaa', '00000000', 'abcabcabc', '12121212', 'abcdabcd'],
    'a sequence': ['abcdefgh', '987654321', 'qwertyuiop', 'asdfghjkl', '1qaz2wsx', 'poiuytrewq'],
    'the ID or the name of the app': ['bellsofshandon', 'Bells of Shandon', 'bells-123'],
  };
  for (const [what, passwords] of Object.entries(guessable))
    test(`is rejected: ${what}`, async () => {
      for (const password of passwords) {
        const registered = await carillon.tryPost('/user/register', { name: newName(), password }, { token: null });
        assert.equal(registered.code, BAD_PARAMETER, password);
        assert.match(registered.message ?? '', /easy to guess\. Choose a longer one, for example four random words\.$/);
      }
    });

  test('is rejected if it is a name of the user', async () => {
    const body = { name: 'grace.hopper', email: 'ghopper1906@example.com', mobile: '+8613912345678' };
    for (const password of [
      'grace.hopper',
      'GraceHopper',
      'grace.hopper1906',
      'ghopper1906',
      '13912345678',
      body.email,
    ])
      assert.equal(
        (await carillon.tryPost('/user/register', { ...body, password }, { token: null })).code,
        10002,
        password,
      );
    assert.equal(
      (await carillon.tryPost('/user/register', { ...body, password: 'nanoseconds' }, { token: null })).code,
      200,
    );
  });

  test('is rejected for a user that an admin creates or changes', async () => {
    const name = newName();
    assert.equal((await carillon.tryPost('/admin/user/create', { name, password: 'password1' })).code, BAD_PARAMETER);
    const created = await carillon.post<{ user_id: number }>('/admin/user/create', { name });
    const set = (password: string) =>
      carillon.tryPost('/admin/user/password', { user_id: created.data.user_id, password });
    for (const password of ['password1', `${name}!!`]) assert.equal((await set(password)).code, BAD_PARAMETER);
    assert.equal((await set(NEW_PASSWORD)).code, ACCEPTED);
  });

  test('is rejected if users change their password', async () => {
    const user = await carillon.createUser(newName());
    const { token } = await carillon.logIn(user, user.name);
    for (const password of ['password1', `${user.name}!`])
      assert.equal((await change(user, token, { password })).code, BAD_PARAMETER);
    assert.equal((await logIn(user)).code, ACCEPTED);
  });
});

const change = ({ password: old_password }: TestUser, token: string, body: object = {}) =>
  carillon.tryPost('/user/password', { old_password, password: NEW_PASSWORD, ...body }, { token });
const logIn = ({ userId, password }: TestUser, change: object = {}) =>
  carillon.tryPost<{ token: string }>('/token/id', { user_id: userId, password, ...change }, { token: null });
const isValid = async (token: string) => (await carillon.tryPost('/device/list', {}, { token })).code;

describe('users who change their password', () => {
  test('keep their login, and all other logins end', async () => {
    const user = await carillon.createUser(newName());
    const [own, other] = [await carillon.logIn(user, 'own-phone'), await carillon.logIn(user, 'stolen-phone')];
    const { data: withoutDevice } = await logIn(user);
    const gateway = carillon.gateways[0] as RoleProcess;
    await using ownDevice = await connectDevice(gateway, own);
    await using otherDevice = await connectDevice(gateway, other);

    assert.equal((await change(user, own.token)).code, ACCEPTED);
    await eventually(() => assert.ok(!otherDevice.client.connected, 'the other session is closed'));
    assert.equal(await isValid(other.token), TOKEN_INVALID);
    assert.equal(await isValid(withoutDevice.token), TOKEN_INVALID);
    assert.equal(await isValid(own.token), ACCEPTED);
    assert.equal((await logIn(user)).code, LOGIN_REFUSED);
    assert.equal((await logIn(user, { password: NEW_PASSWORD })).code, ACCEPTED);

    // Notifications reach only the device on which the password was changed.
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });
    await eventually(() => assert.deepEqual(ownDevice.taskIds, [taskId.toString()]));
    assert.deepEqual((await carillon.counters(taskId)).nativepush?.[0], 1);
    assert.ok(ownDevice.client.connected);
  });

  test('can repeat the call after an error', async () => {
    const user = await carillon.createUser(newName());
    const { token } = await carillon.logIn(user, 'repeating-phone');
    assert.equal((await change(user, token)).code, ACCEPTED);
    assert.equal((await change(user, token)).code, ACCEPTED);
  });

  test('must know the old password, and attempts are delayed', async () => {
    const user = await carillon.createUser(newName());
    const { token } = await carillon.logIn(user, 'guessed-phone');
    const guess = (password: string) => change(user, token, { old_password: password });
    for (let i = 0; i < FAILURES; i++) assert.equal((await guess(`wrong-${i}`)).code, LOGIN_REFUSED);
    const delayed = await guess(user.password);
    assert.equal(delayed.code, TOO_MANY_LOGINS);
    assert.ok(Number(delayed.headers.get('retry-after')) > 0);
    assert.equal((await logIn(user)).code, ACCEPTED, 'the delay does not prevent logins');
  });

  test('are not delayed by wrong passwords of other people', async () => {
    const user = await carillon.createUser(newName());
    const { token } = await carillon.logIn(user, 'attacked-phone');
    for (let i = 0; i <= FAILURES; i++) await logIn(user, { password: `wrong-${i}` });
    assert.equal((await logIn(user)).code, TOO_MANY_LOGINS);
    assert.equal((await change(user, token)).code, ACCEPTED);
  });

  test('are recorded in the audit log', async () => {
    const user = await carillon.createUser(newName());
    const { token } = await carillon.logIn(user, 'audited-phone');
    assert.equal((await change(user, token)).code, ACCEPTED);
    const { data } = await carillon.post<{ list: object[] }>('/admin/audit/list', { limit: 1 });
    const [{ at: _at, audit_id: _auditId, ...entry } = { at: 0, audit_id: 0 }] = data.list as {
      at: number;
      audit_id: number;
    }[];
    assert.deepEqual(entry, {
      token_id: 0,
      token_name: '',
      operator_id: null,
      operator_name: null,
      operation: '/user/password',
      detail: `{"user_id":${user.userId}}`,
      address: '127.0.0.1',
      result_of: null,
    });
  });

  test('cannot do so without a password, and admins have another operation', async () => {
    const { data } = await carillon.post<{ user_id: number }>('/admin/user/create', { name: newName() });
    const { data: login } = await carillon.post<{ token: string }>('/admin/user/token', data);
    const body = { old_password: '', password: NEW_PASSWORD };
    assert.equal((await carillon.tryPost('/user/password', body, { token: login.token })).code, BAD_PARAMETER);
    const guess = { ...body, old_password: NEW_PASSWORD };
    assert.equal((await carillon.tryPost('/user/password', guess, { token: login.token })).code, LOGIN_REFUSED);
    const byAdmin = await carillon.tryPost('/user/password', guess);
    assert.match(byAdmin.message ?? '', /\/admin\/user\/password/);
  });
});
