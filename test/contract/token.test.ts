import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { importSPKI, jwtVerify } from 'jose';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { bucketOfPushToken } from '#src/domain/device.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { hashPassword } from '#src/foundation/threads/password.ts';
import { seedUser } from '../../scripts/dev/seed.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';

const DAY_MS = 86_400_000;

interface TokenRecord {
  readonly access_key_secret: string;
  readonly encrypt_type: number;
  readonly expire: number;
  readonly public_key: string;
  readonly push_token?: string;
  readonly store_token: string;
  readonly token: string;
  readonly user_id: number | bigint;
}

const user = { name: 'ann', password: ' Ann’s password ', mobile: '+8613800000000', email: 'ann@example.com' };
let carillon: Carillon;
let userId: bigint;

before(async () => {
  // Many logins fail in this file, and their limit is not under test.
  const settings = { CARILLON_LOGIN_FAILURES_PER_NAME: '1000' };
  carillon = await startCarillon({ gateways: 0, workers: 0, settings });
  userId = await seedUser(carillon.storage.home, carillon.appId, user);
  // The largest possible ID, which the sequence would not reach in a test.
  await carillon.storage.home.query(
    'insert into users (app_id, user_id, name, password_hash) values ($1, $2, $3, $4)',
    [carillon.appId, INT64_MAX, 'the last one', await hashPassword('last')],
  );
});
after(() => carillon[Symbol.asyncDispose]());

const tryLogIn = (path: string, body: object) => carillon.tryPost<TokenRecord>(path, body, { token: null });
const logIn = async (body: object = {}, path = '/token/user') =>
  (await carillon.post<TokenRecord>(path, { name: user.name, password: user.password, ...body }, { token: null })).data;

describe('successful login', () => {
  const ways: readonly (readonly [string, string, () => object])[] = [
    ['by user ID', '/token/id', () => ({ user_id: userId })],
    ['by user name', '/token/user', () => ({ name: user.name })],
    ['by user name as login name', '/token/login', () => ({ login_name: user.name })],
    ['by email', '/token/login', () => ({ login_name: user.email })],
    ['by email in upper case', '/token/login', () => ({ login_name: user.email.toUpperCase() })],
    ['by mobile number', '/token/login', () => ({ login_name: user.mobile })],
  ];
  for (const [how, path, name] of ways) {
    test(how, async () => {
      const { data } = await carillon.post<TokenRecord>(path, { ...name(), password: user.password }, { token: null });
      assert.equal(BigInt(data.user_id), userId);
      const own = { audience: { user_id: [userId] }, message: { body: 'to myself' } };
      await carillon.post('/push/notify', own, { token: data.token });
    });
  }

  test('returns every field of the token record, with its type', async () => {
    const record = await logIn({ device_guid: 'typed' });
    assert.deepEqual(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, typeof value])), {
      access_key_secret: 'string',
      encrypt_type: 'number',
      expire: 'number',
      public_key: 'string',
      push_token: 'string',
      store_token: 'string',
      token: 'string',
      user_id: 'number',
    });
    assert.equal(record.encrypt_type, 0);
    const days = (record.expire - Date.now()) / DAY_MS;
    assert.ok(days > 89.9 && days < 90.1, `expires in ${days} days if expire is in milliseconds`);
  });

  test('ignores access-token, user_id, group_id and unknown fields', async () => {
    const response = await fetch(`${carillon.apis[0]?.apiUrl}/token/user`, {
      method: 'POST',
      headers: {
        app_id: carillon.appId,
        'content-type': 'application/json',
        'access-token': 'nonsense',
        user_id: 'nonsense',
        group_id: '1',
      },
      body: JSON.stringify({ name: user.name, password: user.password, nobody_knows: 'this' }),
    });
    assert.equal(response.status, 200);
  });
});

describe('rejected login', () => {
  const secret = { password: user.password };
  const refusals: readonly (readonly [string, string, () => object, number, number])[] = [
    ['a wrong password, by id', '/token/id', () => ({ user_id: userId, password: 'wrong' }), 401, 10013],
    ['a wrong password, by name', '/token/user', () => ({ name: 'ann', password: 'wrong' }), 401, 10013],
    ['a wrong password, by email', '/token/login', () => ({ login_name: user.email, password: 'x' }), 401, 10013],
    [
      'a password without its spaces',
      '/token/user',
      () => ({ name: 'ann', password: user.password.trim() }),
      401,
      10013,
    ],
    ['a password of spaces', '/token/user', () => ({ name: 'ann', password: '  ' }), 401, 10013],
    ['an unknown id', '/token/id', () => ({ user_id: 1, ...secret }), 401, 10013],
    ['an unknown name', '/token/user', () => ({ name: 'nobody', ...secret }), 401, 10013],
    ['an unknown email', '/token/login', () => ({ login_name: 'nobody@example.com', ...secret }), 401, 10013],
    ['an unknown mobile number', '/token/login', () => ({ login_name: '13900000000', ...secret }), 401, 10013],
    ['an email where only a name is accepted', '/token/user', () => ({ name: user.email, ...secret }), 401, 10013],
    [
      'a user ID where only a login name is accepted',
      '/token/login',
      () => ({ login_name: String(userId), ...secret }),
      401,
      10013,
    ],
    ['no password', '/token/user', () => ({ name: 'ann' }), 400, 10002],
    ['an empty password', '/token/user', () => ({ name: 'ann', password: '' }), 400, 10002],
    ['null as password', '/token/user', () => ({ name: 'ann', password: null }), 400, 10002],
    ['a number as password', '/token/user', () => ({ name: 'ann', password: 1 }), 400, 10002],
    ['no name', '/token/user', () => secret, 400, 10002],
    ['a blank name', '/token/user', () => ({ name: ' ', ...secret }), 400, 10002],
    ['a blank login name', '/token/login', () => ({ login_name: '', ...secret }), 400, 10002],
    ['no user id', '/token/id', () => secret, 400, 10002],
    ['a user id that is a string', '/token/id', () => ({ user_id: String(userId), ...secret }), 400, 10002],
    ['a user id beyond int64', '/token/id', () => ({ user_id: INT64_MAX + 1n, ...secret }), 400, 10002],
  ];
  for (const [what, path, body, status, code] of refusals) {
    test(`${what}: ${status}, ${code}`, async () => {
      const answer = await tryLogIn(path, body());
      assert.deepEqual([answer.status, answer.code, answer.data], [status, code, null]);
    });
  }

  test('returns the same message for a wrong password and an unknown user', async () => {
    const answers = await Promise.all([
      tryLogIn('/token/user', { name: 'ann', password: 'wrong' }),
      tryLogIn('/token/user', { name: 'nobody', password: 'wrong' }),
      tryLogIn('/token/id', { user_id: 1, password: 'wrong' }),
      tryLogIn('/token/login', { login_name: 'nobody@example.com', password: 'wrong' }),
    ]);
    const words = answers.map(({ status, code, data, message }) => JSON.stringify({ status, code, data, message }));
    assert.equal(new Set(words).size, 1, words.join('\n'));
  });
});

describe('a device', () => {
  for (const [what, body] of [
    ['is not given', {}],
    ['is blank', { device_guid: ' ' }],
    ['is null', { device_guid: null }],
  ] as const) {
    test(`gets no push_token if device_guid ${what}`, async () => {
      assert.ok(!('push_token' in (await logIn(body))));
    });
  }

  test('has a push token that contains its shard', async () => {
    const { push_token: pushToken } = await logIn({ device_guid: 'phone-1' });
    assert.equal(bucketOfPushToken(pushToken as string), bucketOfGuid(carillon.appId, 'phone-1'));
  });

  test('keeps its push token for the same user, and has another push token for another user', async () => {
    const [first, second] = [await logIn({ device_guid: 'phone-2' }), await logIn({ device_guid: 'phone-2' })];
    assert.equal(second.push_token, first.push_token);
    assert.notEqual(second.token, first.token);
    const third = await logIn({ device_guid: 'phone-2', name: 'the last one', password: 'last' });
    assert.notEqual(third.push_token, first.push_token);
    assert.equal((await logIn({ device_guid: 'phone-2' })).push_token, first.push_token);
  });
});

describe('external file service', () => {
  test('verifies store_token with public_key, and access_key_secret with its hash in store_token', async () => {
    const record = await logIn();
    const key = await importSPKI(record.public_key, 'EdDSA');
    const { payload } = await jwtVerify(record.store_token, key, { audience: 'store', issuer: carillon.appId });
    assert.equal(payload.sub, userId.toString());
    assert.equal(payload.key_sha256, createHash('sha256').update(record.access_key_secret).digest('base64url'));
    const lasts = (payload.exp as number) - (payload.iat as number);
    assert.ok(lasts > 0 && lasts <= 3_600, `valid for ${lasts} s`);
    await assert.rejects(jwtVerify(record.store_token, key, { audience: 'push' }));
  });

  test('receives new secrets at each login, and never the access token', async () => {
    const [one, two] = [await logIn(), await logIn()];
    assert.equal(one.public_key, two.public_key);
    for (const name of ['token', 'store_token', 'access_key_secret'] as const) assert.notEqual(one[name], two[name]);
    assert.notEqual(one.access_key_secret, one.token);
  });
});

describe('user ID with 19 digits', () => {
  test('is accepted at login and returned with every digit', async () => {
    const response = await fetch(`${carillon.apis[0]?.apiUrl}/token/id`, {
      method: 'POST',
      headers: { app_id: carillon.appId, 'content-type': 'application/json' },
      body: '{"user_id":9223372036854775807,"password":"last"}',
    });
    assert.match(await response.text(), /"user_id":9223372036854775807[,}]/);
  });

  test('can notify its own user, but not a user whose ID would round to the same number', async () => {
    const { token } = await logIn({ name: 'the last one', password: 'last' });
    const to = (id: bigint) => ({ audience: { user_id: [id] }, message: { body: 'b' } });
    await carillon.post('/push/notify', to(INT64_MAX), { token });
    assert.equal((await carillon.tryPost('/push/notify', to(INT64_MAX - 1n), { token })).code, 10010);
  });
});
