import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { specifiedChannels } from '#src/domain/channel.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { parseJson } from '#src/foundation/json.ts';
import { seedAdminToken, seedApp } from '../../scripts/dev/seed.ts';
import { keyringsOf, newMasterKeys } from '../../scripts/stack/master-keys.ts';
import { type Carillon, type Login, startCarillon } from '../support/carillon.ts';

const OTHER_APP = 'other-app';
let carillon: Carillon;
let userId: bigint;
let login: Login;
let foreignToken: string;
let pushOnlyToken: string;

before(async () => {
  carillon = await startCarillon({ gateways: 0, workers: 0 });
  const { home } = carillon.storage;
  const ann = await carillon.createUser('ann');
  userId = ann.userId;
  login = await carillon.logIn(ann, 'anns-phone');
  await seedApp(home, keyringsOf(newMasterKeys('test')), OTHER_APP);
  foreignToken = await seedAdminToken(home, OTHER_APP);
  pushOnlyToken = await seedAdminToken(home, carillon.appId, ['push']);
});
after(() => carillon[Symbol.asyncDispose]());

interface QueryResponse {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  readonly message: string | null;
  readonly headers: Headers;
}

/** Sends a request with the token of a caller and the app ID of that caller. */
async function ask(path: string, token = carillon.adminToken, body?: string): Promise<QueryResponse> {
  const response = await fetch(`${carillon.apis[0]?.apiUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      app_id: token === foreignToken ? OTHER_APP : carillon.appId,
      'access-token': token,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const envelope = parseJson(await response.text()) as Omit<QueryResponse, 'status' | 'headers'>;
  return { ...envelope, status: response.status, headers: response.headers };
}

describe('push credentials', () => {
  test('are returned to an admin with their secrets and with cache-control no-store', async () => {
    const { code, data, headers } = await ask('/push/certificate?provider=1');
    assert.equal(code, 200);
    const { topic, key_id, team_id, p8 } = carillon.apns.facts;
    assert.deepEqual(data, { app_id: topic, app_key: key_id, app_secret: team_id, certificate: p8, name: 'APNs' });
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  test('are returned to a user with the same five fields, but without secrets', async () => {
    const { code, data } = await ask('/push/certificate?provider=1&environment=0', login.token);
    assert.equal(code, 200);
    const { topic, key_id } = carillon.apns.facts;
    assert.deepEqual(data, { app_id: topic, app_key: key_id, app_secret: '', certificate: '', name: 'APNs' });
  });

  for (const query of ['provider=1', 'provider=1&environment=0', 'provider=1&environment=1', 'provider=1&environment='])
    test(`are found with the query ${query}`, async () =>
      assert.equal((await ask(`/push/certificate?${query}`)).code, 200));

  const refusals: readonly (readonly [string, string, () => string, number, number])[] = [
    ['a vendor without credentials', 'provider=2', () => carillon.adminToken, 404, 12007],
    ['a vendor without credentials, requested by a user', 'provider=8', () => login.token, 404, 12007],
    ['an app without credentials', 'provider=1', () => foreignToken, 404, 12007],
    ['a token without the secrets scope', 'provider=1', () => pushOnlyToken, 403, 10010],
    ['a missing provider', '', () => carillon.adminToken, 400, 10002],
    ['a blank provider', 'provider=', () => carillon.adminToken, 400, 10002],
    ['provider 0', 'provider=0', () => carillon.adminToken, 400, 10002],
    ['provider 100', 'provider=100', () => carillon.adminToken, 400, 10002],
    ['a provider by name', 'provider=apns', () => carillon.adminToken, 400, 10002],
    ['a repeated provider', 'provider=1&provider=2', () => carillon.adminToken, 400, 10002],
    ['an unknown environment', 'provider=1&environment=2', () => carillon.adminToken, 400, 10002],
  ];
  for (const [what, query, token, status, code] of refusals) {
    test(`${what} is rejected: ${status}, ${code}`, async () => {
      const answer = await ask(`/push/certificate?${query}`, token());
      assert.deepEqual([answer.status, answer.code, answer.data], [status, code, null], String(answer.message));
    });
  }
});

describe('task statistics', () => {
  let tasks: { first: bigint; second: bigint; users: bigint; foreign: bigint };
  const UNKNOWN = 4_611_686_018_427_387_904n;

  before(async () => {
    const body = JSON.stringify({ audience: { user_id: [Number(userId)] }, message: { body: 'b' } });
    const notify = async (token?: string) =>
      BigInt(((await ask('/push/notify', token, body)).data as { task_id: number }).task_id);
    tasks = {
      first: await notify(),
      second: await notify(),
      users: await notify(login.token),
      foreign: await notify(foreignToken),
    };
  });

  const detail = (list: readonly bigint[], token?: string) =>
    ask('/push/task/detail', token, `{"list":[${list.join(',')}]}`);
  const idsOf = ({ data }: QueryResponse) => (data as { task_id: number }[]).map(({ task_id }) => BigInt(task_id));

  test('have 27 counters, which are zero before anything is sent', async () => {
    const { data } = await detail([tasks.first]);
    const counters = specifiedChannels.flatMap((channel) =>
      ['sent', 'received', 'target'].map((name) => [`${channel}_${name}`, 0]),
    );
    assert.equal(counters.length, 27);
    assert.deepEqual(data, [{ task_id: Number(tasks.first), ...Object.fromEntries(counters) }]);
  });

  const lists: readonly (readonly [string, () => bigint[], () => bigint[], (() => string)?])[] = [
    ['in the order of the request', () => [tasks.second, tasks.first], () => [tasks.second, tasks.first]],
    ['in the order of a reversed request', () => [tasks.first, tasks.second], () => [tasks.first, tasks.second]],
    [
      'once for a repeated id, at its first position',
      () => [tasks.second, tasks.first, tasks.second],
      () => [tasks.second, tasks.first],
    ],
    ['without unknown ids', () => [UNKNOWN, tasks.first, 0n, -1n, INT64_MAX], () => [tasks.first]],
    ['without tasks of another app', () => [tasks.foreign, tasks.first], () => [tasks.first]],
    ['as an empty list if no id belongs to the app', () => [tasks.foreign, UNKNOWN], () => []],
    ['to an admin, including tasks of users', () => [tasks.users, tasks.first], () => [tasks.users, tasks.first]],
    [
      'to a user, only for tasks of that user',
      () => [tasks.first, tasks.users, tasks.foreign],
      () => [tasks.users],
      () => login.token,
    ],
    [
      'to an admin of another app, only for tasks of that app',
      () => Object.values(tasks),
      () => [tasks.foreign],
      () => foreignToken,
    ],
  ];
  for (const [how, asked, expected, token] of lists) {
    test(`are returned ${how}`, async () => {
      const answer = await detail(asked(), token?.());
      assert.equal(answer.code, 200);
      assert.deepEqual(idsOf(answer), expected());
    });
  }

  test('are returned for 500 ids', async () => {
    const ids = [...new Array<bigint>(499).fill(UNKNOWN).map((id, i) => id + BigInt(i)), tasks.second];
    assert.deepEqual(idsOf(await detail(ids)), [tasks.second]);
  });

  const refusals: readonly (readonly [string, string, number, number])[] = [
    ['501 ids', `{"list":[${new Array(501).fill(1).join(',')}]}`, 400, 12005],
    ['no list', '{}', 400, 10002],
    ['a blank list', '{"list":[]}', 400, 10002],
    ['a list of strings', '{"list":["1"]}', 400, 10002],
    ['an id beyond int64', '{"list":[9223372036854775808]}', 400, 10002],
    ['an id below int64', '{"list":[-9223372036854775809]}', 400, 10002],
    ['an id instead of a list', '{"list":1}', 400, 10002],
  ];
  for (const [what, body, status, code] of refusals) {
    test(`are rejected for ${what}: ${status}, ${code}`, async () => {
      const answer = await ask('/push/task/detail', undefined, body);
      assert.deepEqual([answer.status, answer.code, answer.data], [status, code, null]);
    });
  }
});
