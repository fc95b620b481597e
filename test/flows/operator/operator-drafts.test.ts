import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { type OperatorBrowser, seedOperator, signedIn } from '../../support/operator.ts';

const NO_PERMISSION = 10010;
const APPROVAL_REQUIRED = 12013;
const hello = { audience: 'all', message: { body: 'hello' } };

describe('operators of an app that requires approval', () => {
  let carillon: Carillon;
  let app: { app_id: string };
  let ada: OperatorBrowser;
  let bo: OperatorBrowser;
  let viewer: OperatorBrowser;
  before(async () => {
    carillon = await startCarillon({ gateways: 0 });
    app = { app_id: carillon.appId };
    const { apiUrl } = carillon.apis[0] as RoleProcess;
    const { home } = carillon.storage;
    await seedOperator(home, 'root@example.com', { isPlatform: true });
    const root = await signedIn(apiUrl, 'root@example.com');
    const create = async (name: string, role: string) => {
      const operatorId = await seedOperator(home, `${name}@example.com`);
      const { message } = await root.post('/operator/role/set', { operator_id: operatorId, ...app, role });
      assert.equal(message, null);
      return signedIn(apiUrl, `${name}@example.com`);
    };
    [ada, bo, viewer] = [await create('ada', 'sender'), await create('bo', 'sender'), await create('vi', 'viewer')];
    await carillon.logIn(await carillon.createUser('customer'), 'phone');
    await carillon.post('/admin/app/update', { approval_above: 0 });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  test('cannot send without a draft, while a token can', async () => {
    await eventually(async () => assert.equal((await ada.post('/push/notify', hello, app)).code, NO_PERMISSION));
    await carillon.post('/push/notify', hello);
  });

  test('approve the drafts of each other, but not their own', async () => {
    const { data } = await ada.post('/push/draft/create', hello, app);
    const { draft_id, created_by, needs_approval } = data as Record<string, unknown>;
    assert.deepEqual([created_by, needs_approval], ['ada@example.com', true]);
    assert.equal((await viewer.post('/push/draft/get', { draft_id }, app)).code, 200);
    assert.equal((await viewer.post('/push/draft/approve', { draft_id }, app)).code, NO_PERMISSION);
    assert.equal((await ada.post('/push/draft/approve', { draft_id }, app)).code, APPROVAL_REQUIRED);
    const approved = await bo.post('/push/draft/approve', { draft_id }, app);
    assert.equal(approved.message, null);
    const { task_id } = approved.data as { task_id: number };
    const decided = (await ada.post('/push/draft/get', { draft_id }, app)).data as Record<string, unknown>;
    assert.deepEqual(
      [decided.decided_by, decided.decided_by_kind, decided.task_id],
      ['bo@example.com', 'operator', task_id],
    );
  });
});
