import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setRole } from '#src/storage/operators/operators.ts';
import { addAuditLinks, findSettledAuditId } from '#src/storage/users/audit-chain.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { type OperatorResponse, seedOperator, signedIn } from '../../support/operator.ts';

const hello = { audience: 'all', message: { body: 'hello' } };

let carillon: Carillon;
let apiUrl: string;
let adaId: bigint;
let app: { app_id: string };

before(async () => {
  carillon = await startCarillon({ gateways: 0, workers: 0 });
  apiUrl = carillon.apis[0]?.apiUrl as string;
  app = { app_id: carillon.appId };
  await seedOperator(carillon.storage.home, 'root@example.com', { isPlatform: true });
  adaId = await seedOperator(carillon.storage.home, 'ada@example.com');
});
after(() => carillon[Symbol.asyncDispose]());

const dataOf = <T>({ data, message }: OperatorResponse): T => {
  assert.equal(message, null);
  return data as T;
};

describe('the audit log', () => {
  test('names the operator of each call that changed data, also of a sent notification', async () => {
    await setRole(carillon.storage.home, adaId, carillon.appId, 'admin');
    const ada = await signedIn(apiUrl, 'ada@example.com');
    const { user_id } = dataOf<{ user_id: number }>(await ada.post('/admin/user/create', { name: 'ivy' }, app));
    assert.equal((await ada.post('/push/notify', hello, app)).code, 200);
    assert.equal((await ada.post('/push/task/list', {}, app)).code, 200);
    await carillon.createUser('by-a-backend');
    const { list } = dataOf<{ list: Record<string, unknown>[] }>(
      await ada.post('/admin/audit/list', { limit: 3, operator_id: adaId }, app),
    );
    assert.deepEqual(
      list.map(({ operation, token_id, token_name, operator_id, operator_name, detail }) => [
        operation,
        token_id,
        token_name,
        BigInt(operator_id as number),
        operator_name,
        detail,
      ]),
      [
        ['/push/notify', '{}'],
        ['/admin/user/create', `{"user_id":${user_id}}`],
        ['/admin/user/create', '{}'],
      ].map(([operation, detail]) => [operation, 0, 'ada@example.com', adaId, 'Operator ada@example.com', detail]),
    );
  });

  test('has the changes to operators as entries that belong to no app, and the chain covers them', async () => {
    const root = await signedIn(apiUrl, 'root@example.com');
    assert.equal((await root.post('/operator/role/set', { operator_id: adaId, ...app, role: 'viewer' })).code, 200);
    const { list } = dataOf<{ list: { operation: string; token_name: string; detail: string }[] }>(
      await root.post('/admin/audit/list', { limit: 1, installation: true }, app),
    );
    assert.deepEqual(
      list.map(({ operation, token_name, detail }) => [operation, token_name, JSON.parse(detail)]),
      [['/operator/role/set', 'root@example.com', { operator_id: Number(adaId), ...app, role: 'viewer' }]],
    );
    const { home } = carillon.storage;
    await addAuditLinks(home, await findSettledAuditId(home), 1_000);
    const verified = dataOf<{ entries: number; pending: number; list: unknown[] }>(
      await root.post('/admin/audit/verify', {}, app),
    );
    assert.ok(verified.entries > 0);
    assert.deepEqual([verified.pending, verified.list], [0, []]);
  });

  test('has the changed fields of an operator, and that the password was changed, but not the password', async () => {
    const operatorId = await seedOperator(carillon.storage.home, 'iris@example.com');
    const root = await signedIn(apiUrl, 'root@example.com');
    const password = 'eleven bells at noon';
    for (const changes of [
      { name: 'Iris' },
      { password },
      { email: 'iris.b@example.com', name: 'Iris B', is_platform: true, password },
    ])
      assert.equal((await root.post('/operator/update', { operator_id: operatorId, ...changes })).code, 200);
    const { list } = dataOf<{ list: { operation: string; detail: string }[] }>(
      await root.post('/admin/audit/list', { limit: 3, installation: true }, app),
    );
    const id = `"operator_id":${operatorId}`;
    assert.deepEqual(
      list.map(({ operation, detail }) => `${operation} ${detail}`),
      [
        `{${id},"email":"iris.b@example.com","name":"Iris B","is_platform":true,"password_changed":true}`,
        `{${id},"password_changed":true}`,
        `{${id},"name":"Iris"}`,
      ].map((detail) => `/operator/update ${detail}`),
    );
  });
});
