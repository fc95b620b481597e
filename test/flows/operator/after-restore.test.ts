import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bucketOfTask } from '#src/domain/task.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows, waitUntilFinished } from '../../support/ledger.ts';
import { seedOperator, signedIn } from '../../support/operator.ts';
import { runBin } from '../../support/run-command.ts';

const PHONES = 6;
const SECONDS_MAX = 60;
const SESSION_MISSING = 10003;
/** Tasks that one database has lost and another one still has, each in a different way. */
const forgotten = { list: 0n, everyone: 0n, openSlice: 0n, unknown: 0n, inInbox: 0n, otherSlice: 0n };

let carillon: Carillon;
let users: bigint[];
let logins: Awaited<ReturnType<typeof addDevice>>[];
let devices: TestDevice[];
let absent: Awaited<ReturnType<typeof addDevice>>;

before(async () => {
  carillon = await startCarillon({ checksLaws: false, settings: { CARILLON_SINGLE_EXPANSION_DEVICES_MAX: '0' } });
  const { storage, appId } = carillon;
  const add = async (deviceGuid: string) => {
    const userId = await addUser(storage.home, appId);
    return { userId, login: await addDevice(storage, { appId, userId, deviceGuid }) };
  };
  const testUsers = await Promise.all(Array.from({ length: PHONES }, (_, i) => add(`phone-${i}`)));
  const gateway = carillon.gateways[0] as RoleProcess;
  users = testUsers.map(({ userId }) => userId);
  logins = testUsers.map(({ login }) => login);
  devices = await Promise.all(logins.map((login) => connectDevice(gateway, login)));
  const away = await add('absent');
  absent = away.login;

  for (const name of ['list', 'openSlice', 'unknown'] as const)
    forgotten[name] = await carillon.notify({ user_id: users }, { body: name });
  forgotten.everyone = await carillon.notify('all', { body: 'everyone' });
  forgotten.inInbox = await carillon.notify({ user_id: [away.userId] }, { body: 'later' });
  forgotten.otherSlice = await carillon.notify({ user_id: [away.userId] }, { body: 'later, too' });
  for (const name of ['list', 'openSlice', 'unknown'] as const)
    await waitUntilFinished(storage, forgotten[name], SECONDS_MAX);
  await eventually(async () => {
    assert.ok(devices.every(({ taskIds }) => taskIds.includes(forgotten.everyone.toString())));
    for (const name of ['inInbox', 'otherSlice', 'everyone'] as const)
      assert.equal(await countInboxRows(storage, forgotten[name]), 1);
  }, SECONDS_MAX);
});

after(async () => {
  for (const device of devices ?? []) await device[Symbol.asyncDispose]();
  await carillon?.[Symbol.asyncDispose]();
});

test('repairs databases that were restored to different times, and sends tasks that are unsent in one of them', async () => {
  const { storage } = carillon;
  for (const role of [...carillon.workers, ...carillon.gateways]) await role.kill();
  const shardOfList = storage.shards.dbFor(bucketOfTask(forgotten.list));
  await forget(shardOfList, 'task_id = $1', forgotten.list);
  const high = storage.shards.dbFor(4_095);
  await forget(high, 'task_id = $1', forgotten.everyone);
  await storage.shards.dbFor(bucketOfTask(forgotten.openSlice)).query(
    `update slices set state = 'ready', next_at = now(), sent = sent # sent, received = received # received,
                       status = decode(repeat('00', n), 'hex')
      where task_id = $1`,
    [forgotten.openSlice],
  );
  await storage.home.query('delete from tasks where task_id = $1', [forgotten.unknown]);
  // One notification is missing from its inbox. Another has the old number of a slice that was created again. A third
  // belongs to a task that no other database has.
  const unheard = forgotten.unknown + 1_000n;
  for (const db of storage.shards.all) {
    await db.query(
      `insert into inbox select app_id, bucket, device_id, $2, generation, slice_bucket, slice, place, n, expires_at
         from inbox where task_id = $1`,
      [forgotten.inInbox, unheard],
    );
    await db.query('delete from inbox where task_id = $1', [forgotten.inInbox]);
    await db.query('update inbox set slice = slice + 500000 where task_id = $1', [forgotten.otherSlice]);
  }
  assert.equal(await countInboxRows(storage, unheard), 1);
  await assert.rejects(checkLaws(storage), /L7|L10/, 'invariants are violated');

  const ended = await runBin('after-restore', [], carillon.settings);
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stderr, /^A role is connected\. Stop every role/, 'the api role is connected');
  assert.deepEqual(countsIn(ended.stdout).slice(0, 4), [1, 2, 1, 0], ended.stdout);
  assert.equal(
    await countInboxRows(storage, unheard),
    0,
    'the orphaned notification would use space in the inbox until it expires',
  );

  const [gateway] = await Promise.all([carillon.start('gateway'), carillon.start('worker')]);
  devices = await Promise.all(logins.map((login) => connectDevice(gateway, login)));
  for (const name of ['list', 'openSlice'] as const) await waitUntilFinished(storage, forgotten[name], SECONDS_MAX);
  const deliveryCounts = (taskId: bigint) =>
    devices.map(({ taskIds }) => taskIds.filter((id) => BigInt(id) === taskId).length);
  const everyone = (count: number) => Array.from({ length: PHONES }, () => count);
  assert.deepEqual(deliveryCounts(forgotten.list), everyone(1), 'a lost task is sent again');
  assert.deepEqual(deliveryCounts(forgotten.openSlice), everyone(1));
  assert.deepEqual(deliveryCounts(forgotten.unknown), everyone(0));

  await using device = await connectDevice(gateway, absent);
  await eventually(() => {
    const expected = [forgotten.inInbox, forgotten.otherSlice, forgotten.everyone];
    assert.deepEqual(new Set(device.taskIds), new Set(expected.map(String)));
  }, SECONDS_MAX);
  for (const name of ['inInbox', 'otherSlice', 'everyone'] as const)
    await waitUntilFinished(storage, forgotten[name], SECONDS_MAX);
  await checkLaws(storage);
});

test('new users and slices are not assigned a number that may have been used before the restore', async () => {
  const { storage, appId } = carillon;
  const last = Math.max(...users.map(Number));
  assert.ok((await addUser(storage.home, appId)) > last + 1_000_000);
  const taskId = await carillon.notify({ user_id: users }, { body: 'afterwards' });
  await waitUntilFinished(storage, taskId, SECONDS_MAX);
  const slices = await Promise.all(
    storage.shards.all.map((db) =>
      db.query<{ slice: number }>('select slice from slices where task_id = $1', [taskId]),
    ),
  );
  assert.ok(slices.flat().length > 0);
  for (const { slice } of slices.flat()) assert.ok(slice > 1_000_000, `${slice}`);
});

test('new operators and drafts get no number from before the restore, and ended sessions of operators stay ended', async () => {
  const { storage, settings, appId, apis } = carillon;
  const body = { audience: { user_id: users }, message: { body: 'draft' } };
  const createDraft = async () => (await carillon.post<{ draft_id: number }>('/push/draft/create', body)).data.draft_id;
  const operatorId = await seedOperator(storage.home, 'before@example.com', { viewedApp: appId });
  const draftId = await createDraft();
  const browser = await signedIn(apis[0]?.apiUrl ?? '', 'before@example.com');
  const { code, stdout, stderr } = await runBin('after-restore', [], settings);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Sessions of operators, ended: 1$/m);
  await eventually(async () => assert.equal((await browser.post('/operator/session')).code, SESSION_MISSING));
  assert.ok((await seedOperator(storage.home, 'after@example.com')) > operatorId + 1_000_000n);
  assert.ok((await createDraft()) > draftId + 1_000_000);
});

test('slice numbers continue after the largest number in use', async () => {
  const { storage, settings } = carillon;
  const [db] = storage.shards.all as [Carillon['storage']['shards']['all'][number]];
  await db.query(`select setval('slice_numbers', 2147483647 - 1000)`);
  const ended = await runBin('after-restore', [], settings);
  assert.equal(ended.code, 0, ended.stderr);
  const [next] = await db.query<{ slice: bigint }>(`select nextval('slice_numbers') as slice`);
  assert.ok((next?.slice ?? 0n) > 900_000n && (next?.slice ?? 0n) < 1_000_100n, `${next?.slice}`);
});

test('changes nothing if the databases are consistent, even while a day is being dropped', async () => {
  // The counts of a day are stored in the home database first. Then its bucket partitions are dropped, and its tasks
  // last.
  const { storage } = carillon;
  await storage.home.query(
    `insert into final_counts (task_id, app_id, author, channels, targets, sent, received)
     select task_id, app_id, author, '{nativepush}', $2, $2, $2 from tasks where task_id = $1`,
    [forgotten.list, [PHONES]],
  );
  await forget(storage.shards.dbFor(bucketOfTask(forgotten.list)), 'task_id = $1', forgotten.list);
  const ended = await runBin('after-restore', [], carillon.settings);
  assert.equal(ended.code, 0);
  assert.deepEqual(countsIn(ended.stdout), [0, 0, 0, 0, 0, 0]);
});

/** Deletes ledger rows of a task, so that the shard database looks as it did before the expansion. */
async function forget(db: Carillon['storage']['shards']['all'][number], what: string, taskId: bigint): Promise<void> {
  for (const table of ['slice_targets', 'slices', 'expansions'])
    await db.query(`delete from ${table} where ${what}`, [taskId]);
}

const countsIn = (text: string): number[] => [...text.matchAll(/: (\d+)$/gm)].map(([, count]) => Number(count));
