import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAdminToken } from '#src/api/create-app.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { slicesOf, waitUntilFinished } from '../../support/ledger.ts';

const APPROVAL_REQUIRED = 12013;
const TOO_MANY_DRAFTS = 12015;
const NO_SUCH_DRAFT = 12012;
const OPEN_DRAFTS_MAX = 1_000;
/** Key of the lock that stops an approval between the acceptance of the task and the record of the task. */
const LOCK = 4_711;

interface Draft {
  readonly draft_id: number;
  readonly state: string;
  readonly needs_approval: boolean;
  readonly devices: number;
  readonly decided_by: string | null;
  readonly task_id: number | null;
}

describe('a draft that needs the approval of a second token', () => {
  let carillon: Carillon;
  let login: Login;
  let tokens: { readonly ada: string; readonly grace: string; readonly edith: string };

  before(async () => {
    carillon = await startCarillon({ apis: 2 });
    const { appId, storage } = carillon;
    const user = await carillon.createUser('bo');
    login = await carillon.logIn(user, 'phone');
    const create = async (name: string) =>
      (await createAdminToken(storage.home, { appId, name, scopes: ['push'] })).token;
    tokens = { ada: await create('ada'), grace: await create('grace'), edith: await create('edith') };
    await carillon.post('/admin/app/update', { approval_above: 0 });
    // The other process caches the app.
    await eventually(async () => {
      for (const api of carillon.apis) assert.equal((await createDraft('settings', api)).needs_approval, true);
    });
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function createDraft(text: string, api = carillon.apis[0] as RoleProcess): Promise<Draft> {
    const body = { audience: 'all', message: { body: text } };
    return (await carillon.post<Draft>('/push/draft/create', body, { token: tokens.ada, api })).data;
  }

  const approve = (draftId: number, token: string, api = carillon.apis[0] as RoleProcess, more: object = {}) =>
    carillon.tryPost<{ task_id: number }>('/push/draft/approve', { draft_id: draftId, ...more }, { token, api });

  const readDraft = async (draftId: number) =>
    (await carillon.post<Draft>('/push/draft/get', { draft_id: draftId }, { token: tokens.ada })).data;

  const tasksWith = (text: string, db = carillon.storage.home) =>
    db.query<{ taskId: bigint; tokenId: bigint }>(
      `select task_id as "taskId", token_id as "tokenId" from tasks where position($1 in message) > 0`,
      [text],
    );

  test('is sent after another token approves it, and not before', async () => {
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const { draft_id: draftId, devices } = await createDraft('to be approved');
    assert.equal(devices, 1);
    const own = await approve(draftId, tokens.ada);
    assert.deepEqual([own.status, own.code], [403, APPROVAL_REQUIRED]);
    assert.deepEqual(await tasksWith('to be approved'), []);

    const { data } = await approve(draftId, tokens.grace);
    const taskId = BigInt(data.task_id);
    await eventually(async () => assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] }));
    assert.deepEqual(device.taskIds, [taskId.toString()]);
    const { state, decided_by: decidedBy, task_id: storedId } = await readDraft(draftId);
    assert.deepEqual([state, decidedBy, storedId], ['approved', 'grace', data.task_id]);
  });

  test('is sent once if several tokens approve it at the same time, in two processes', async () => {
    for (let round = 0; round < 5; round++) {
      const { draft_id: draftId } = await createDraft(`concurrent ${round}`);
      const responses = await Promise.all(
        [tokens.grace, tokens.edith, tokens.grace, tokens.edith].map((token, i) =>
          approve(draftId, token, carillon.apis[i % 2]),
        ),
      );
      const tasks = await tasksWith(`concurrent ${round}`);
      assert.equal(tasks.length, 1);
      assert.deepEqual(
        responses.map(({ code, data }) => [code, BigInt(data.task_id)]),
        responses.map(() => [200, tasks[0]?.taskId]),
      );
    }
  });

  test('is either approved or rejected if both happen at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { draft_id: draftId } = await createDraft(`contested ${round}`);
      const [approval, rejection] = await Promise.all([
        approve(draftId, tokens.grace),
        carillon.tryPost(
          '/push/draft/reject',
          { draft_id: draftId },
          { token: tokens.edith, api: carillon.apis[1] as RoleProcess },
        ),
      ]);
      const { state, task_id: taskId } = await readDraft(draftId);
      const tasks = await tasksWith(`contested ${round}`);
      if (state === 'approved') assert.deepEqual([approval.code, rejection.code, tasks.length], [200, 12014, 1]);
      else assert.deepEqual([state, approval.code, rejection.code, tasks], ['rejected', 12014, 200, []]);
      assert.equal(taskId, state === 'approved' ? approval.data.task_id : null);
    }
  });

  test('is sent once if a process crashes after it accepted the task', async () => {
    const { home } = carillon.storage;
    const { draft_id: draftId } = await createDraft('crash');
    await home.query(
      `create function wait_for_lock() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`,
    );
    await home.query(
      `create trigger wait_for_lock before update on drafts for each row
         when (new.task_id is not null) execute function wait_for_lock()`,
    );
    const victim = await carillon.start('api');
    await inTransaction(home, async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${LOCK})`);
      const interrupted = assert.rejects(approve(draftId, tokens.grace, victim));
      await eventually(async () => assert.equal((await tasksWith('crash', tx)).length, 1));
      await victim.kill();
      await interrupted;
    });
    await home.query('drop trigger wait_for_lock on drafts');
    // PostgreSQL may complete the last statement of the killed process. The test repeats the worst case.
    await home.query('update drafts set task_id = null where draft_id = $1', [draftId]);
    const { state, task_id: taskId } = await readDraft(draftId);
    assert.deepEqual([state, taskId], ['approved', null]);

    const { code, data } = await approve(draftId, tokens.edith);
    assert.equal(code, 200);
    const tasks = await tasksWith('crash');
    assert.deepEqual(
      tasks.map((task) => task.taskId),
      [BigInt(data.task_id)],
    );
    const draft = await readDraft(draftId);
    assert.deepEqual([draft.decided_by, draft.task_id], ['grace', data.task_id]);
  });

  test('is sent if a process crashes after it recorded the approval', async () => {
    const { home } = carillon.storage;
    const { draft_id: draftId } = await createDraft('early crash');
    await home.query(`update drafts set state = 'approved', decided_name = 'grace' where draft_id = $1`, [draftId]);
    const { data } = await approve(draftId, tokens.edith);
    assert.deepEqual(
      (await tasksWith('early crash')).map(({ taskId }) => taskId),
      [BigInt(data.task_id)],
    );
  });

  test('can be approved with a hold, in which the task can be cancelled', async () => {
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const { draft_id: draftId } = await createDraft('held');
    const { data } = await approve(draftId, tokens.grace, carillon.apis[0], { hold_seconds: 10 });
    const taskId = BigInt(data.task_id);
    await carillon.post('/push/task/cancel', { task_id: taskId });
    await waitUntilFinished(carillon.storage, taskId, 30);
    assert.deepEqual(await slicesOf(carillon.storage, taskId), []);
    assert.ok(!device.taskIds.includes(taskId.toString()));
  });

  test('is created once if its creator repeats the request with its request_id', async () => {
    const create = async (text: string, requestId: string, token = tokens.ada) => {
      const body = { audience: 'all', message: { body: text }, setting: { request_id: requestId } };
      return (await carillon.post<Draft>('/push/draft/create', body, { token })).data;
    };
    const first = await create('repeated', 'first key');
    assert.deepEqual(await create('repeated', 'first key'), first);
    const others = [
      await create('another text', 'first key'),
      await create('repeated', 'second key'),
      await create('repeated', 'first key', tokens.edith),
    ];
    assert.equal(new Set([first, ...others].map(({ draft_id: draftId }) => draftId)).size, 4);
    const { data } = await approve(first.draft_id, tokens.grace);
    const { state, task_id: taskId } = await create('repeated', 'first key');
    assert.deepEqual([state, taskId], ['approved', data.task_id]);
  });

  test('is in the audit log with the names of both tokens', async () => {
    const { draft_id: draftId } = await createDraft('audited');
    const { data } = await approve(draftId, tokens.grace);
    const { data: audit } = await carillon.post<{ list: { operation: string; token_name: string; detail: string }[] }>(
      '/admin/audit/list',
      { limit: 10 },
    );
    const entries = audit.list.filter(({ detail }) => detail.includes(`"draft_id":${draftId}`));
    assert.deepEqual(
      entries.map(({ operation, token_name: name, detail }) => [operation, name, detail]),
      [
        ['/push/draft/approve', 'grace', `{"draft_id":${draftId},"task_id":${data.task_id}}`],
        ['/push/draft/approve', 'grace', `{"draft_id":${draftId}}`],
        ['/push/draft/create', 'ada', `{"draft_id":${draftId}}`],
      ],
    );
  });

  test('cannot be seen or approved after it has expired, and a worker deletes it', async () => {
    const { home } = carillon.storage;
    const { draft_id: draftId } = await createDraft('expired');
    await home.query('update drafts set expires_at = now() where draft_id = $1', [draftId]);
    assert.equal((await approve(draftId, tokens.grace)).code, NO_SUCH_DRAFT);
    assert.deepEqual(await tasksWith('expired'), []);
    await carillon.start('worker');
    await eventually(async () => {
      assert.deepEqual(await home.query('select from drafts where draft_id = $1', [draftId]), []);
    }, 20);
  });

  test('cannot be created if 1,000 drafts are open', async () => {
    const { home } = carillon.storage;
    const fill = (open: number) =>
      home.query(
        `insert into drafts (app_id, author, body, devices, needs_approval, token_kind, token_id, token_name, expires_at)
         select app_id, author, body, devices, needs_approval, token_kind, token_id, token_name, expires_at
           from (select * from drafts limit 1) as d, generate_series(1, $1 - (select count(*)::int from drafts where state = 'open'))`,
        [open],
      );
    await fill(OPEN_DRAFTS_MAX - 1);
    const last = await createDraft('the last one');
    const body = { audience: 'all', message: { body: 'too many' } };
    const response = await carillon.tryPost('/push/draft/create', body, { token: tokens.ada });
    assert.deepEqual([response.status, response.code], [409, TOO_MANY_DRAFTS]);
    assert.match(String(response.message), /Approve or reject some of them: at most 1000 can be open\./);
    await carillon.post('/push/draft/reject', { draft_id: last.draft_id }, { token: tokens.ada });
    await createDraft('fits again');
  });
});
