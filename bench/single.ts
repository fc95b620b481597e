import { setTimeout as sleep } from 'node:timers/promises';
import { bucketOfPushToken } from '#src/domain/device.ts';
import { placeStatus, type SliceKey } from '#src/domain/slice.ts';
import { bucketOfTask, recentTaskRange, type Task } from '#src/domain/task.ts';
import { byDatabase, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { type Device, findDevicesByPushToken } from '#src/storage/devices/devices.ts';
import { expansionOf, findShardProgress } from '#src/storage/ledger/expansions.ts';
import { markSlices } from '#src/storage/ledger/mark-slices.ts';
import {
  type ClaimedSlice,
  claimSlices,
  expandLists,
  type NewSlice,
  type SliceWrite,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import { claimTasks, findPlannedTasks, markFinished, markPlanned } from '#src/storage/ledger/tasks.ts';
import type { Carillon } from '../test/support/carillon.ts';
import { ApiClient } from './caller.ts';
import { measureCallsToPhones, singleNotificationTo } from './latency.ts';
import { createManyPartitions } from './partitions.ts';
import { createPhones, type Phone, Phones } from './phones/phones.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const PHONES = 2_000;
const TASKS = 10_000;
const PASSES = 3;
const GROUP = 64;
/** Number of concurrent groups, equal to the number of slots of a worker. */
const GROUPS_AT_A_TIME = 4;
const RATIO_GOAL = 0.4;
const P99_MS = 200;
const RATES = [100, 200, 300, 400, 500, 600, 800, 1_000, 1_200];
const RATE_SECONDS = 8;
const CLOSE_SECONDS_MAX = 300;

/**
 * Measures how many accepted single pushes to connected phones one worker closes per second. All of them are accepted
 * before the worker starts. The baseline runs the same statements for groups of 64 with the driver alone and sends
 * nothing. Also measures the highest call rate at which the p99 latency of the acknowledgements stays below the limit.
 */
export const single: Bench = async ({ size = TASKS, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, meter } = await startService(resources, say, { gateways: 1, workers: 0 });
  await createManyPartitions(carillon.storage);
  const phoneCredentials = await createPhones(carillon, PHONES, say);
  const phones = resources.use(new Phones());
  await phones.connect(phoneCredentials, [carillon.gateways[0]?.ports.gateway as number]);
  const caller = resources.use(new ApiClient(carillon, 64));

  const passes: { ours: number; bare: number }[] = [];
  for (let i = 0; i < PASSES; i++) {
    await acceptAll(caller, phoneCredentials, size);
    const bare = size / (await closeBare(carillon.storage, size));
    await acceptAll(caller, phoneCredentials, size);
    const ours = size / (await closeOurs(carillon, carillon.storage));
    passes.push({ ours, bare });
    say(`ours ${Math.round(ours)}, bare ${Math.round(bare)} tasks/s`);
  }
  const median = (pick: (pass: (typeof passes)[number]) => number) =>
    passes.map(pick).sort((a, b) => a - b)[Math.floor(PASSES / 2)] as number;
  const [ours, bare] = [median((pass) => pass.ours), median((pass) => pass.bare)];

  await acceptAll(caller, phoneCredentials, size);
  await meter.measure(
    'accepted to closed',
    () => ({ push: size }),
    () => closeOurs(carillon, meter.storage, { leaveRunning: true }),
  );
  let inTime = 0;
  for (const perSecond of RATES) {
    const { p50, p99 } = await measureCallsToPhones(caller, phones, phoneCredentials, {
      perSecond,
      seconds: RATE_SECONDS,
    });
    say(`${perSecond} calls/s: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`);
    if (p99 >= P99_MS) break;
    inTime = perSecond;
  }
  const extras = { [`calls/s with p99 < ${P99_MS} ms`]: inTime };
  const reached = ours / bare >= RATIO_GOAL;
  const goal = `ratio ≥ ${RATIO_GOAL}`;
  const results = [{ name: 'accepted to closed', ours, bare, unit: 'tasks/s', goal, reached, extras }];
  return { results, work: meter.measured };
};

async function acceptAll(caller: ApiClient, all: readonly Phone[], count: number): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count; n = next++)
      await caller.post('/push/notify', singleNotificationTo(all[n % all.length] as Phone));
  };
  await Promise.all(Array.from({ length: GROUP }, work));
}

/** Returns the seconds from the end of the worker's startup until all tasks are closed. */
async function closeOurs(
  carillon: Carillon,
  storage: Storage,
  { leaveRunning = false }: { readonly leaveRunning?: boolean } = {},
): Promise<number> {
  const began = performance.now();
  const worker = await carillon.start('worker');
  const startedMs = performance.now() - began;
  await waitUntilFinished(storage);
  const seconds = (performance.now() - began - startedMs) / 1_000;
  if (!leaveRunning) await worker.stop();
  return seconds;
}

async function waitUntilFinished({ home }: Storage): Promise<void> {
  for (let i = 0; i < CLOSE_SECONDS_MAX * 20; i++) {
    const [open] = await home.query(`select from tasks where state <> 'finished' limit 1`);
    if (!open) return;
    await sleep(50);
  }
  throw new Error('The tasks did not finish in time.');
}

async function closeBare(storage: Storage, count: number): Promise<number> {
  const began = performance.now();
  let remaining = count;
  const work = async () => {
    while (remaining > 0) {
      remaining -= GROUP;
      await closeGroup(storage);
    }
  };
  await Promise.all(Array.from({ length: GROUPS_AT_A_TIME }, work));
  const seconds = (performance.now() - began) / 1_000;
  const [open] = await storage.home.query(`select from tasks where state <> 'finished' limit 1`);
  if (open) throw new Error('The baseline left unfinished tasks.');
  return seconds;
}

/** Reads and writes the rows that a worker and a gateway use for 64 tasks, each to one connected phone. */
async function closeGroup({ home, shards }: Storage): Promise<void> {
  const claim = { lane: 'prompt', limit: GROUP, leaseSeconds: 30, turns: null } as const;
  const taskRange = recentTaskRange(new Date());
  const tasks = await claimTasks(home, { ...claim, taskRange });
  const tokens = tasks.map(({ task }) => {
    const pushToken = pushTokenOf(task);
    return { appId: task.appId, pushToken, bucket: bucketOfPushToken(pushToken) as number };
  });
  const lookups = [...byDatabase(shards, tokens, ({ bucket }) => bucket)].map(([db, items]) =>
    findDevicesByPushToken(db, items),
  );
  const devices = new Map((await Promise.all(lookups)).flat().map((device) => [device.pushToken, device]));
  const slices = tasks.map(({ task }) => toSlice(task, devices.get(pushTokenOf(task)) as Device));
  const inEach = <T extends SliceKey | NewSlice, R>(
    items: readonly T[],
    work: (db: ShardDb, group: T[]) => Promise<R>,
  ) => Promise.all([...byDatabase(shards, items, ({ bucket }) => bucket)].map(([db, group]) => work(db, group)));
  const insertedSlices = (
    await inEach(slices, (db, group) =>
      expandLists(
        db,
        group.map((slice) => expansionOf(slice, { firstBucket: slice.bucket, lastBucket: slice.bucket })),
        group,
      ),
    )
  ).flat();
  await markPlanned(home, tasks);
  await inEach(insertedSlices, (db, group) =>
    writeSlices(
      db,
      group.map((slice) => toWrite(slice, 'awaiting')),
    ),
  );
  const bits = { sent: '1', received: '1' };
  await inEach(insertedSlices, (db, group) =>
    markSlices(
      db,
      group.map((slice) => ({ ...keyOf(slice), ...bits })),
    ),
  );
  const claimedSlices = (
    await Promise.all(shards.all.map((db) => claimSlices(db, { ...claim, taskRange, weightMax: 2_048 })))
  ).flat();
  await inEach(claimedSlices, (db, group) =>
    writeSlices(
      db,
      group.map((slice) => toWrite(slice, 'closed')),
    ),
  );
  const ids = claimedSlices.map(({ taskId }) => taskId);
  await findPlannedTasks(home, ids);
  await inEach(claimedSlices, (db, group) =>
    findShardProgress(
      db,
      group.map(({ taskId }) => taskId),
    ),
  );
  if (ids.length > 0) await markFinished(home, ids);
}

function pushTokenOf({ audience }: Task): string {
  if (audience.kind !== 'push_token') throw new Error('The audience of the task is not a push token.');
  return audience.pushTokens[0] as string;
}

function toSlice({ taskId, appId, lane }: Task, { deviceId, generation }: Device): NewSlice {
  return {
    ...{
      taskId,
      appId,
      lane,
      bucket: bucketOfTask(taskId),
      channel: 'nativepush',
      placeCount: 1,
      tried: [],
      nativeSlice: null,
    },
    ...{ deviceIds: `${deviceId}`, generations: `${generation}`, status: Buffer.of(placeStatus.planned) },
    ...{ state: 'leased', dueInMs: 30_000 },
  };
}

const keyOf = ({ taskId, bucket, sliceNumber }: SliceKey): SliceKey => ({ taskId, bucket, sliceNumber });

function toWrite(claimed: ClaimedSlice, state: 'awaiting' | 'closed'): SliceWrite {
  const status = Buffer.of(state === 'closed' ? placeStatus.sent : placeStatus.attempting);
  const events = state === 'closed' ? [] : ([{ code: 'written', places: [0] }] as const);
  return { claimed, status, sent: '1', state, dueInMs: 5_000, attempts: 1, historyEntries: events };
}
