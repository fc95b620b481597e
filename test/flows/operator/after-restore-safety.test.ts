import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { bucketOfGuid, bucketOfRequestKey } from '#src/domain/bucket.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import { shardUrls } from '#src/storage/database/open-storage.ts';
import { hashToken } from '#src/storage/users/tokens.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import { type Carillon, type Login, startCarillon } from '../../support/carillon.ts';
import { createMigratedDatabases, type TestDatabases } from '../../support/databases.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows, slicesOf, waitUntilFinished } from '../../support/ledger.ts';
import { runBin } from '../../support/run-command.ts';

const SECONDS_MAX = 60;
const MESSAGES = 6;

let carillon: Carillon;
let others: TestDatabases;
let userId: bigint;
let away: Login;
let taskIds: bigint[];

/**
 * Creates an offline device in the upper half of the buckets with waiting notifications. Then kills all workers and
 * gateways.
 */
before(async () => {
  [carillon, others] = await Promise.all([
    startCarillon({ databases: 3 }),
    createMigratedDatabases(undefined, { count: 3 }),
  ]);
  const { storage, appId } = carillon;
  userId = await addUser(storage.home, appId);
  const deviceGuid = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].find((guid) => bucketOfGuid(appId, guid) >= 2_048) as string;
  away = await addDevice(storage, { appId, userId, deviceGuid });
  taskIds = [];
  for (let i = 0; i < MESSAGES; i++) {
    const setting = { request_id: requestIdIn(i % 2 === 0) };
    taskIds.push(await carillon.notify({ user_id: [userId] }, { body: `${i}` }, setting));
  }
  await eventually(async () => {
    for (const taskId of taskIds) {
      assert.equal(await countInboxRows(storage, taskId), 1);
      assert.deepEqual(
        (await slicesOf(storage, taskId)).map(({ state }) => state),
        ['waiting'],
      );
    }
    assert.equal((await storage.home.query(`select from tasks where state = 'planned'`)).length, MESSAGES);
  }, SECONDS_MAX);
  for (const role of [...carillon.workers, ...carillon.gateways]) await role.kill();
});

let requests = 0;

/** Returns an idempotency key whose task is in the lower or the upper half of the buckets, so that each database has tasks. */
function requestIdIn(isLow: boolean): string {
  let requestId: string;
  do requestId = `request-${++requests}`;
  while (bucketOfRequestKey({ appId: carillon.appId, author: 'admin', requestId }) < 2_048 !== isLow);
  return requestId;
}

after(async () => {
  await carillon?.[Symbol.asyncDispose]();
  await others?.[Symbol.asyncDispose]();
});

test('changes nothing and prints no warning if the databases are empty and no role is connected', async () => {
  const ended = await runBin('after-restore', [], { ...carillon.settings, ...others.settings });
  assert.deepEqual([ended.code, ended.stderr], [0, '']);
});

test('changes nothing with a wrong home database or wrong shard databases', async () => {
  const everything = await rowsOf();
  const wrongHome = { ...carillon.settings, CARILLON_DATABASE_URL: others.homeUrl };
  for (const args of [[], ['--dry-run']]) {
    const ended = await runBin('after-restore', args, wrongHome);
    assert.equal(ended.code, 1, ended.stdout);
    assert.match(
      ended.stderr,
      new RegExp(`The home database does not have ${MESSAGES} of the ${MESSAGES} tasks in the shards`),
    );
    assert.match(ended.stderr, /Check that CARILLON_DATABASE_URL .* rerun with --far-apart/s);
  }
  const { CARILLON_SHARD_DATABASES } = others.settings;
  const ended = await runBin('after-restore', [], { ...carillon.settings, CARILLON_SHARD_DATABASES });
  assert.equal(ended.code, 1, ended.stdout);
  assert.match(ended.stderr, new RegExp(`The shards do not have ${MESSAGES} of the ${MESSAGES} tasks`));
  assert.deepEqual(await rowsOf(), everything);
});

test('changes nothing and keeps every login if the names are assigned to the wrong databases', async () => {
  const { storage, appId, settings } = carillon;
  const { CARILLON_DATABASE_URL = '', CARILLON_SHARD_DATABASES = '' } = settings;
  const urls = shardUrls(CARILLON_DATABASE_URL, CARILLON_SHARD_DATABASES);
  const [low, high] = [urls.get('shard1'), urls.get('shard2')];
  const deviceGuid = Array.from({ length: 100 }, (_, i) => `low-${i}`).find(
    (guid) => bucketOfGuid(appId, guid) < 1_024,
  );
  const other = await addUser(storage.home, appId);
  const former = await addDevice(storage, { appId, userId: other, deviceGuid: deviceGuid as string });
  await storage.home.query(`update user_tokens set created_at = created_at - interval '1 h' where token_hash = $1`, [
    hashToken(former.token),
  ]);
  const everything = await rowsOf();
  for (const names of [`shard1=${high} shard2=${low}`, `shard1=${high} shard2=${high}`]) {
    const ended = await runBin('after-restore', [], { ...settings, CARILLON_SHARD_DATABASES: names });
    assert.equal(ended.code, 1, ended.stdout);
    assert.match(ended.stderr, /The shards do not have (\d+ of the \d+ tasks|the devices of \d+ of the 2 logins)/);
    assert.match(ended.stderr, /Check that .* CARILLON_SHARD_DATABASES .* original name.* rerun with --far-apart/s);
    assert.deepEqual(await rowsOf(), everything);
  }
  const right = await runBin('after-restore', ['--dry-run'], settings);
  assert.deepEqual([right.code, countsIn(right.stdout)], [0, [0, 0, 0, 0]], right.stderr);
});

test('deletes or resends old tasks, which indicate distant restore points, only with --far-apart', async () => {
  const { storage, settings } = carillon;
  const [unknown, missing] = [oldTask(1n), oldTask(2n)];
  const shardOfUnknown = storage.shards.dbFor(bucketOfTask(unknown));
  await shardOfUnknown.query(
    `insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
     select $1, $2, after_id, $2, last_id, app_id, lane, 'done', now(), now() from expansions limit 1`,
    [unknown, bucketOfTask(unknown)],
  );
  const isThere = async () =>
    (await shardOfUnknown.query('select from expansions where task_id = $1', [unknown])).length;
  const refused = await runBin('after-restore', [], settings);
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /The home database does not have 1 of the 7 tasks in the shards/);
  const dry = await runBin('after-restore', ['--far-apart', '--dry-run'], settings);
  assert.deepEqual([dry.code, countsIn(dry.stdout)], [0, [1, 0, 0, 0]]);
  assert.match(dry.stdout, /^Nothing was changed/);
  assert.equal(await isThere(), 1);
  const gone = await runBin('after-restore', ['--far-apart'], settings);
  assert.deepEqual([gone.code, countsIn(gone.stdout)], [0, [1, 0, 0, 0, MESSAGES, 0]]);
  assert.equal(await isThere(), 0);

  await storage.home.query(
    `insert into tasks (task_id, app_id, author, lane, state, by_range, strategy, ospush_sequence, audience, message,
                        due_at, not_after, next_at, accepted_at, finished_at)
     select $1, app_id, author, lane, 'finished', by_range, strategy, ospush_sequence, audience, message,
            due_at - interval '1 h', not_after - interval '1 h', next_at, accepted_at - interval '1 h', now()
       from tasks where task_id = $2`,
    [missing, taskIds[0]],
  );
  const refusedToo = await runBin('after-restore', [], settings);
  assert.equal(refusedToo.code, 1, refusedToo.stdout);
  assert.match(
    refusedToo.stderr,
    /The shards do not have 1 of the 7 tasks that are expanded according to the home database/,
  );
  await storage.home.query('delete from tasks where task_id = $1', [missing]);
});

test('prints the supported flags if a flag is unknown', async () => {
  const ended = await runBin('after-restore', ['--force'], carillon.settings);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /--dry-run .*--far-apart/s);
});

test('rejects a login that is missing from the restored bucket, even after another login on the device', async () => {
  const { storage, appId, settings } = carillon;
  const [first, second] = [await addUser(storage.home, appId), await addUser(storage.home, appId)];
  const phone = (of: bigint, deviceGuid: string) => addDevice(storage, { appId, userId: of, deviceGuid });
  const lasting = await phone(first, 'lasting');
  const before = await phone(first, 'used-again');
  await carillon.post('/token/logout', {}, { token: before.token });
  const lost = await phone(first, 'used-again');
  const erased = await phone(second, 'erased');
  // Restore the state before the logout.
  const db = storage.shards.dbFor(bucketOfGuid(appId, 'used-again'));
  await db.query(`update devices set generation = 1, push_token = $1 where device_guid = 'used-again'`, [
    before.push_token,
  ]);
  await storage.shards.dbFor(bucketOfGuid(appId, 'erased')).query(`delete from devices where device_guid = 'erased'`);

  const dry = await runBin('after-restore', ['--dry-run'], settings);
  assert.deepEqual([dry.code, countsIn(dry.stdout)], [0, [0, 0, 0, 2]], dry.stderr);
  const ended = await runBin('after-restore', [], settings);
  assert.deepEqual([ended.code, countsIn(ended.stdout)[3]], [0, 2], ended.stderr);

  await db.query(
    `update devices set generation = 2, push_token = 'p-logged-out', user_id = null, former_user_id = user_id
      where device_guid = 'used-again'`,
  );
  const now = await phone(first, 'used-again');
  const [device] = await db.query<{ generation: number }>(
    `select generation from devices where device_guid = 'used-again'`,
  );
  assert.equal(device?.generation, 3, 'the device has the same generation as the lost login');
  const bind = (login: Login) =>
    carillon.tryPost('/device/bind', { provider: 1, token: `live-${login.deviceGuid}` }, { token: login.token });
  const codes = await Promise.all([lost, erased, now, lasting].map(async (login) => (await bind(login)).code));
  assert.deepEqual(codes, [10008, 10008, 200, 200]);
});

test('allows longer queries than a role does, and can be run again after it was killed', async () => {
  const { storage, settings } = carillon;
  const low = taskIds.filter((taskId) => bucketOfTask(taskId) < 2_048);
  const [unknown] = low as [bigint];
  for (const table of ['tasks', 'request_keys'])
    await storage.home.query(`delete from ${table} where task_id = $1`, [unknown]);
  const { CARILLON_DATABASE_URL = '', CARILLON_SHARD_DATABASES = '' } = settings;
  await using stack = new AsyncDisposableStack();
  const lock = new Client(shardUrls(CARILLON_DATABASE_URL, CARILLON_SHARD_DATABASES).get('shard2'));
  stack.defer(() => lock.end());
  await lock.connect();
  await lock.query('begin; lock table inbox in exclusive mode');

  const program = fileURLToPath(new URL('../../../src/bin/after-restore.ts', import.meta.url));
  const command = spawn(process.execPath, [program], {
    env: { ...process.env, ...settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: '1' },
  });
  stack.defer(() => void command.kill('SIGKILL'));
  const ended = once(command, 'exit');
  const pid = await eventually(async () => {
    const waiting = await storage.shards.dbFor(4_095).query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and query like '%delete from inbox%' and wait_event_type = 'Lock'
          and clock_timestamp() - query_start > interval '1500 ms'`,
    );
    assert.equal(waiting.length, 1);
    return waiting[0]?.pid;
  }, SECONDS_MAX);
  command.kill('SIGKILL');
  await ended;
  // PostgreSQL does not detect that the client was killed, and would complete the query.
  await storage.shards.dbFor(4_095).query('select pg_terminate_backend($1, 10000)', [pid]);
  await lock.query('rollback');

  const again = await runBin('after-restore', [], settings);
  assert.equal(again.code, 0, again.stderr);
  for (const db of storage.shards.all)
    for (const table of ['inbox', 'expansions', 'slices', 'slice_targets'])
      assert.deepEqual(await db.query(`select from ${table} where task_id = $1`, [unknown]), [], table);

  const [gateway] = await Promise.all([carillon.start('gateway'), carillon.start('worker')]);
  const beside = await runBin('after-restore', [], settings);
  assert.equal(beside.code, 0, 'another run succeeds while the roles are working');
  await using device = await connectDevice(gateway as RoleProcess, away);
  const kept = taskIds.filter((taskId) => taskId !== unknown);
  await eventually(() => assert.deepEqual(new Set(device.taskIds), new Set(kept.map(String))), SECONDS_MAX);
  for (const taskId of kept) await waitUntilFinished(storage, taskId, SECONDS_MAX);
  await checkLaws(storage);
});

/** Returns a task id from an hour before the first notification. */
const oldTask = (sequence: bigint): bigint => ((((taskIds[0] as bigint) >> 22n) - 3_600n) << 22n) + sequence;

/** Returns the row counts of all tables whose rows could be deleted, and the last values of the sequences. */
async function rowsOf(): Promise<string[]> {
  const { home, shards } = carillon.storage;
  const count = (table: string) => `select '${table} ' || count(*) as line from ${table}`;
  const number = (sequence: string) => `select '${sequence} ' || last_value from ${sequence}`;
  const ask = async (db: typeof home | (typeof shards.all)[number], questions: string[]) =>
    (await db.query<{ line: string }>(questions.join(' union all '))).map(({ line }) => line);
  const lines = await Promise.all([
    ask(home, [count('tasks'), count('user_tokens'), count('revocations'), number('user_numbers')]),
    ...shards.all.map((db) =>
      ask(db, [...['inbox', 'expansions', 'slices', 'slice_targets', 'devices'].map(count), number('slice_numbers')]),
    ),
  ]);
  return lines.flat();
}

const countsIn = (text: string): number[] => [...text.matchAll(/: (\d+)$/gm)].map(([, count]) => Number(count));
