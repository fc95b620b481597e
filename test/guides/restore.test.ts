import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { shardUrls } from '#src/storage/database/open-storage.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { addDevice, addUser } from '../support/add-device.ts';
import { readApnsTally } from '../support/apns-tally.ts';
import type { Carillon, Login, TestUser } from '../support/carillon.ts';
import { connectDevice, type TestDevice } from '../support/device.ts';
import { connectSwarmDevice, createSwarm, type DeviceSwarm } from '../support/device-swarm.ts';
import { eventually } from '../support/eventually.ts';
import { checkLaws } from '../support/laws.ts';
import { testStack } from '../support/stack.ts';
import { type Cluster, connectionOf, runInService, startCluster } from './restore/cluster.ts';
import { type Accepted, Load, notify } from './restore/load.ts';
import { archiveEverything, readPage } from './restore/page.ts';
import { killRoles, prepareService, startRoles } from './restore/service.ts';

/**
 * Number of connected phones, of which every third has an APNs token, and numbers of offline phones with and without an
 * APNs token.
 */
const CONNECTED = 36;
const AWAY_WITH_APPLE = 8;
const AWAY = 6;
const SECONDS_MAX = 90;
/** Number of WAL segments between the base backup and the point in time, and minimum number of tasks in each. */
const SEGMENTS_BEFORE = 3;
const TASKS_PER_SEGMENT = 20;
/** Maximum number of finished tasks that are compared. One request can name up to 500 tasks. */
const FINISHED_MAX = 300;

const { archive, lookAtArchive, baseBackup, prune, prepareStream, stream, waitForStream, dump } =
  readPage('docs/operate/backup.md');
const { putBack, awaitReplay, agree, beginTimeline, verify, restoreDump } = readPage('docs/operate/restore.md');

let clusters: [Cluster, Cluster];
let carillon: Carillon;
let swarm: DeviceSwarm;
let away: { readonly login: Login; readonly apnsToken: string | undefined }[];
let late: TestUser;

/** Waits for both clusters even if one fails, because a running command would prevent the cleanup. */
async function onBothClusters(work: (cluster: Cluster) => Promise<unknown>): Promise<void> {
  const ends = await Promise.allSettled(clusters.map(work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

before(async () => {
  clusters = await Promise.all([startCluster(), startCluster()]);
  await onBothClusters((cluster) => cluster.run(archive));
  carillon = await prepareService(clusters[0].stack, clusters[1].stack);
  await startRoles(carillon);
  const { storage, appId } = carillon;
  late = await carillon.createUser('late');
  away = [];
  for (let i = 0; i < AWAY_WITH_APPLE + AWAY; i++) {
    const apnsToken = i < AWAY_WITH_APPLE ? `live-away-${i}` : undefined;
    const userId = await addUser(storage.home, appId);
    const phone = { appId, userId, deviceGuid: `away-${i}`, ...(apnsToken && { apnsToken }) };
    away.push({ login: await addDevice(storage, phone), apnsToken });
  }
  swarm = await createSwarm(carillon, CONNECTED, {
    keepalive: 600,
    apnsTokenOf: (i) => (i % 3 === 0 ? `live-swarm-${i}` : undefined),
  });
  await swarm.connectAll();
});

after(async () => {
  swarm?.[Symbol.dispose]();
  await carillon?.[Symbol.asyncDispose]();
  for (const cluster of clusters ?? []) await cluster[Symbol.asyncDispose]();
});

test('after the loss of all disks, a restore to a point in time is complete, and delivery continues', async () => {
  const { storage, appId } = carillon;
  const users = await storage.home.query<{ id: bigint }>('select user_id as id from users where name is null');
  const load = new Load(
    carillon,
    users.map(({ id }) => id),
  );
  await onBothClusters((cluster) => cluster.run(baseBackup));
  for (let segments = 0; segments < SEGMENTS_BEFORE; segments++) {
    await hasAccepted(load, load.accepted.length + TASKS_PER_SEGMENT);
    await onBothClusters((cluster) => archiveEverything(cluster, lookAtArchive));
  }
  const finishedBefore = await eventually(() => finishedTasks(TASKS_PER_SEGMENT), SECONDS_MAX);
  const countsBefore = await countersOf(finishedBefore);
  const notificationsBefore = await countNotifications(finishedBefore);

  const before = [...load.accepted];
  const [{ target }] = (await storage.home.query<{ target: string }>('select clock_timestamp()::text as target')) as [
    { target: string },
  ];
  const targetAt = performance.now();
  const lateLogin = await carillon.logIn(late, 'late-phone');
  const lastUser = await addUser(storage.home, appId);
  await hasAccepted(load, load.accepted.length + TASKS_PER_SEGMENT);

  await onBothClusters((cluster) => archiveEverything(cluster, lookAtArchive));
  await loseEverything();
  await load.stop();
  await killRoles(carillon);
  const lost = load.accepted.filter(({ askedAt }) => askedAt > targetAt);
  assert.ok(lost.length > 0);

  await onBothClusters((cluster) => restore(cluster, target));
  await runInService(agree, carillon.settings);
  await onBothClusters((cluster) => cluster.run(beginTimeline));
  for (const db of storage.shards.all)
    assert.deepEqual(
      await db.query('select from gateways union all select from sessions'),
      [],
      'no device is connected',
    );
  const there = new Set(
    (await storage.home.query<{ id: bigint }>('select task_id as id from tasks')).map(({ id }) => id),
  );
  assert.deepEqual(missingIn(there, before), [], 'tasks accepted before the point in time exist');
  assert.equal(missingIn(there, lost).length, lost.length, 'tasks accepted after the point in time do not exist');
  assert.deepEqual(await finishedAmong(finishedBefore), finishedBefore, 'finished tasks are still finished');

  await startRoles(carillon);
  assert.deepEqual(await countersOf(finishedBefore), countsBefore);
  await eventually(() => assert.equal(swarm.connected, CONNECTED), SECONDS_MAX);
  using refused = await connectSwarmDevice(gateway().ports.gateway as number, lateLogin);
  assert.notEqual(refused.connack, 0, 'a device that logged in after the point in time has to log in again');
  const again = await carillon.logIn(late, 'late-phone');
  await using _late = await connectDevice(gateway(), again);
  assert.ok((await addUser(storage.home, appId)) > lastUser, 'the lost user id is not assigned to another user');

  await using phones = new AsyncDisposableStack();
  const devices: TestDevice[] = [];
  for (const { login, apnsToken } of away)
    if (apnsToken === undefined) devices.push(phones.use(await connectDevice(gateway(), login)));
  await eventually(async () => assert.deepEqual(await openTasks(), []), SECONDS_MAX);
  const everyone = before.filter(({ audience }) => audience === 'all').map(({ taskId }) => taskId.toString());
  assert.ok(everyone.length > 0);
  for (const { taskIds } of devices)
    assert.deepEqual(
      everyone.filter((id) => !taskIds.includes(id)),
      [],
    );
  assert.deepEqual(await countNotifications(finishedBefore), notificationsBefore, 'finished tasks are not sent again');

  assert.equal(
    await notify(carillon, before[0] as Accepted),
    before[0]?.taskId,
    'an earlier request id still returns its task',
  );
  assert.ok(!lost.map(({ taskId }) => taskId).includes(await notify(carillon, lost[0] as Accepted)));
  const fresh = await carillon.notify('all', { body: 'we are back' });
  await eventually(async () => {
    assert.deepEqual(swarm.missing(fresh), []);
    for (const { taskIds } of devices) assert.ok(taskIds.includes(fresh.toString()));
    const atApple = (await readApnsTally(carillon)).get(fresh) ?? new Map();
    for (const { apnsToken } of away) if (apnsToken !== undefined) assert.equal(atApple.get(apnsToken), 1);
  }, SECONDS_MAX);
  await eventually(async () => assert.deepEqual(await openTasks(), []), SECONDS_MAX);
  await checkLaws(storage);
  await runInService(verify, {
    CARILLON_URL: (carillon.apis[0] as RoleProcess).apiUrl,
    CARILLON_APP_ID: appId,
    CARILLON_ADMIN_TOKEN: carillon.adminToken,
  });
  console.log(`${before.length} accepted before, ${lost.length} after, ${finishedBefore.length} finished before`);
});

test('with streaming, the last commit is restored too, and pruned backups are not needed', async () => {
  await killRoles(carillon);
  await onBothClusters((cluster) => cluster.run(prepareStream));
  const receivers = clusters.map((cluster) => cluster.start(stream));
  await onBothClusters((cluster) => cluster.run(waitForStream));
  await onBothClusters((cluster) => cluster.run(baseBackup));
  await onBothClusters(async (cluster) => {
    await archiveEverything(cluster, lookAtArchive);
    const kept = () => readdirSync(join(cluster.backup, 'base')).length;
    await cluster.run(prune);
    assert.equal(kept(), 2);
    await cluster.run(prune.replace(/ 7$/m, ' 1'));
    assert.equal(kept(), 1);
  });
  await addUser(carillon.storage.home, carillon.appId);
  const digests = await digestsOf(carillon.settings);
  await loseEverything();
  for (const receiver of receivers) receiver[Symbol.dispose]();

  await onBothClusters((cluster) => restore(cluster, ''));
  assert.deepEqual(await digestsOf(carillon.settings), digests);
});

test('dumps that are restored in another cluster are complete', async () => {
  const stack = await testStack();
  const names = ['home', 'low', 'high'] as const;
  const [first, second] = clusters;
  const digests = await digestsOf(carillon.settings);
  for (const name of names) {
    const cluster = name === 'high' ? second : first;
    await cluster.run(dump, { PGDATABASE: name });
    await cluster.run(restoreDump, { ...connectionOf(stack), PGDATABASE: name });
  }
  const [home, low, high] = names.map((name) => stack.databaseUrl(name));
  const settings = { CARILLON_DATABASE_URL: home as string, CARILLON_SHARD_DATABASES: `low=${low} high=${high}` };
  assert.deepEqual(await digestsOf(settings), digests);
  for (const name of names) await first.run('dropdb "$PGDATABASE"', { ...connectionOf(stack), PGDATABASE: name });
});

const gateway = () => carillon.gateways[0] as RoleProcess;

async function hasAccepted(load: Load, count: number): Promise<void> {
  await eventually(() => assert.ok(load.accepted.length >= count, `${load.accepted.length} accepted`), SECONDS_MAX);
}

/** Returns the latest finished tasks. Fails if there are fewer than `countMin`. */
async function finishedTasks(countMin: number): Promise<bigint[]> {
  const rows = await carillon.storage.home.query<{ id: bigint }>(
    `select task_id as id from tasks where state = 'finished' order by 1 desc limit ${FINISHED_MAX}`,
  );
  assert.ok(rows.length >= countMin, `${rows.length} tasks are finished`);
  return rows.map(({ id }) => id).reverse();
}

async function finishedAmong(taskIds: readonly bigint[]): Promise<bigint[]> {
  const rows = await carillon.storage.home.query<{ id: bigint }>(
    `select task_id as id from tasks where state = 'finished' and task_id = any($1) order by 1`,
    [taskIds],
  );
  return rows.map(({ id }) => id);
}

async function openTasks(): Promise<bigint[]> {
  const rows = await carillon.storage.home.query<{ id: bigint }>(
    `select task_id as id from tasks where state <> 'finished'`,
  );
  return rows.map(({ id }) => id);
}

const missingIn = (there: ReadonlySet<bigint>, tasks: readonly Accepted[]): bigint[] =>
  tasks.map(({ taskId }) => taskId).filter((taskId) => !there.has(taskId));

async function countersOf(taskIds: readonly bigint[]): Promise<object[]> {
  const { data } = await carillon.post<{ task_id: number }[]>('/push/task/detail', { list: taskIds });
  return data.toSorted((a, b) => a.task_id - b.task_id);
}

/** Returns the number of times that each task reached a connected phone or APNs. */
async function countNotifications(taskIds: readonly bigint[]): Promise<[bigint, number][]> {
  const tally = await readApnsTally(carillon);
  const onPhones = Map.groupBy(
    swarm.members.flatMap((member) => member.taskIds),
    (taskId) => taskId,
  );
  return taskIds.map((taskId) => {
    const atApple = [...(tally.get(taskId) ?? new Map<string, number>()).values()].reduce((sum, n) => sum + n, 0);
    return [taskId, atApple + (onPhones.get(taskId.toString())?.length ?? 0)];
  });
}

/** Kills PostgreSQL on both clusters and deletes its files. */
async function loseEverything(): Promise<void> {
  await onBothClusters(async ({ stack, dataDirectory }) => {
    await stack.kill('postgres');
    await rm(dataDirectory, { recursive: true });
  });
}

async function restore(cluster: Cluster, target: string): Promise<void> {
  const [oldest] = readdirSync(join(cluster.backup, 'base')).sort() as [string];
  await cluster.run(putBack, { FROM: join(cluster.backup, 'base', oldest), TARGET: target });
  await cluster.run(awaitReplay);
}

/** Returns a digest of each durable table, for comparison. */
async function digestsOf(settings: Readonly<Record<string, string>>): Promise<Record<string, string>[]> {
  const { CARILLON_DATABASE_URL = '', CARILLON_SHARD_DATABASES = '' } = settings;
  const urls = [...shardUrls(CARILLON_DATABASE_URL, CARILLON_SHARD_DATABASES).values()];
  return Promise.all(urls.map(digestOf));
}

async function digestOf(url: string): Promise<Record<string, string>> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'`,
    );
    assert.ok(rows.length > 5, `${rows.length} tables`);
    const digests: Record<string, string> = {};
    for (const { name } of rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const text = `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as digest from ${name} t`;
      digests[name] = (await client.query<{ digest: string }>(text)).rows[0]?.digest as string;
    }
    return digests;
  } finally {
    await client.end();
  }
}
