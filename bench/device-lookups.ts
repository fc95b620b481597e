import { performance } from 'node:perf_hooks';
import { bucketOfGuid } from '#src/domain/bucket.ts';
import { bucketOfDevice } from '#src/domain/device.ts';
import type { HomeDb, ShardDb } from '#src/storage/database/database.ts';
import type { Carillon } from '../test/support/carillon.ts';
import type { ApiClient } from './caller.ts';
import { insertGroups, MOBILE, measureConsoleCalls } from './console-calls.ts';
import { deviceOf, type FilledDevice, fillDevices, type Traits } from './fill-devices.ts';
import type { Bench, Result } from './result.ts';
import { startService } from './service.ts';

const DEVICES = 1_000_000;
const CALLS = 2_000;
/** Number of warm-up calls before the measurement, because the code of a service in production is already compiled. */
const WARM_UP = 4_000;
/** Each device has two tags, so that each tag is on one in 500 devices. */
const TAGS = 1_000;
/** One device in three is connected. */
const ONLINE_EVERY = 3;
const GATEWAY = 'g';
const PAGE = 20;
const GOAL_MS = 5;
const USERS_PER_INSERT = 20_000;

/**
 * Measures `/admin/device/find` for each lookup key in an app with a million devices, from the call to the complete
 * response. The baseline runs only the query for the key, in the database that contains the device. Also measures the
 * lists of users and groups.
 */
export const deviceLookups: Bench = async ({ size = DEVICES, say }) => {
  await using parts = new AsyncDisposableStack();
  const service = await startService(parts, say);
  const { carillon, caller, meter } = service;
  await fill(carillon, size, say);
  const devices = sample(carillon, size, CALLS + WARM_UP);
  const results: Result[] = [];
  for (const [name, lookupKey] of Object.entries(lookupKeys)) {
    say(`${CALLS} lookups by ${name}`);
    const ours = await meter.measure(
      name,
      () => ({ call: devices.length }),
      () => measure(devices, (device) => findDevices(caller, lookupKey.body(device))),
    );
    const bare = await measure(devices, (device) => queryBare(carillon, device, lookupKey.bare(device)));
    const extras = { p50: ours.p50, 'bare p50': bare.p50, 'rows per call': ours.rows / CALLS };
    const reached = ours.p99 < GOAL_MS;
    results.push({ name, ours: ours.p99, bare: bare.p99, unit: 'ms p99', goal: `< ${GOAL_MS} ms`, reached, extras });
  }
  results.push(...(await measureConsoleCalls(service, size, say)));
  return { results, work: meter.measured };
};

interface SampledDevice {
  readonly guid: string;
  readonly pushToken: string;
  readonly userId: bigint;
  readonly alias: string;
  readonly tag: string;
  readonly deviceId: bigint;
}

interface LookupKey {
  readonly body: (one: SampledDevice) => object;
  readonly bare: (one: SampledDevice) => readonly [text: string, value: unknown];
}

const BY_USER = 'select device_id from devices where app_id = $1 and user_id = $2';

const lookupKeys: Readonly<Record<string, LookupKey>> = {
  'push token': {
    body: ({ pushToken }) => ({ push_token: pushToken }),
    bare: ({ pushToken }) => ['select device_id from devices where app_id = $1 and push_token = $2', pushToken],
  },
  guid: {
    body: ({ guid }) => ({ device_guid: guid }),
    bare: ({ guid }) => ['select device_id from devices where app_id = $1 and device_guid = $2', guid],
  },
  user: { body: ({ userId }) => ({ user_id: userId }), bare: ({ userId }) => [BY_USER, userId] },
  alias: { body: ({ alias }) => ({ alias }), bare: ({ userId }) => [BY_USER, userId] },
  tag: {
    body: ({ tag }) => ({ tag }),
    bare: ({ tag }) => [
      `select device_id from tags where app_id = $1 and tag = $2 order by bucket, device_id limit ${PAGE}`,
      tag,
    ],
  },
};

async function measure(sampled: readonly SampledDevice[], ask: (device: SampledDevice) => Promise<number>) {
  const times: number[] = [];
  let rows = 0;
  for (const [i, device] of sampled.entries()) {
    const began = performance.now();
    const count = await ask(device);
    if (i < WARM_UP) continue;
    times.push(performance.now() - began);
    rows += count;
    if (count === 0) throw new Error('An existing device was not found.');
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] as number;
  return { p50: at(0.5), p99: at(0.99), rows };
}

async function findDevices(caller: ApiClient, body: object): Promise<number> {
  return (await caller.post<{ list: unknown[] }>('/admin/device/find', { ...body, limit: PAGE })).list.length;
}

async function queryBare(
  { storage, appId }: Carillon,
  { deviceId }: SampledDevice,
  [text, value]: readonly [string, unknown],
): Promise<number> {
  return (await storage.shards.dbFor(bucketOfDevice(deviceId)).queryPrepared(text, [appId, value])).length;
}

/** Creates two iPhones per user, each with an alias and two tags. */
async function fill(carillon: Carillon, size: number, say: (line: string) => void): Promise<void> {
  const { storage, appId } = carillon;
  const userCount = sampleOf(appId, size).user;
  for (let from = 1; from <= userCount; from += USERS_PER_INSERT) {
    const to = Math.min(from + USERS_PER_INSERT - 1, userCount);
    const range = [appId, from, to];
    await insertUsers(storage.home, appId, from, to);
    await storage.home.query(
      `insert into aliases (app_id, alias, user_id)
       select $1, 'alias-' || n, 1000000 + n from generate_series($2::int, $3::int) as n`,
      range,
    );
  }
  await insertGroups(storage.home, appId);
  const afterInsert = (db: ShardDb, devices: readonly FilledDevice[]) => insertTags(db, appId, devices);
  await fillDevices(carillon, { size, say, traitsOf, gateways: [GATEWAY], afterInsert });
}

/** A lookup asks only the databases of the buckets that are recorded for a user. */
async function insertUsers(db: HomeDb, appId: string, from: number, to: number): Promise<void> {
  const users = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const bucketOf = (device: number) => bucketOfGuid(appId, `device-${device}`);
  await db.query(
    `insert into users (app_id, user_id, mobile, device_buckets)
     select $1, 1000000 + n, ${MOBILE}, array[first, second]
       from unnest($2::int[], $3::smallint[], $4::smallint[]) as u (n, first, second)`,
    [appId, users, users.map((user) => bucketOf(2 * user - 1)), users.map((user) => bucketOf(2 * user))],
  );
}

function traitsOf(n: number): Traits {
  const gateway = n % ONLINE_EVERY === 0 ? GATEWAY : null;
  return { vendors: ['apns'], latestDomestic: null, generation: 1, seenDaysAgo: 0, gateway };
}

const numberOf = ({ deviceId }: FilledDevice): number => Number(deviceId / 64n);
const tagOf = (n: number): string => `tag-${n % TAGS}`;

async function insertTags(db: ShardDb, appId: string, devices: readonly FilledDevice[]): Promise<void> {
  await db.query(
    `with given as (
       select * from unnest($2::smallint[], $3::bigint[], $4::text[], $5::text[]) as g (bucket, device_id, tag, other_tag)
     )
     insert into tags (app_id, tag, bucket, device_id)
     select $1, tag, bucket, device_id from given
      union all
     select $1, other_tag, bucket, device_id from given where other_tag <> tag`,
    [
      appId,
      devices.map(({ bucket }) => bucket),
      devices.map(({ deviceId }) => deviceId),
      devices.map((device) => tagOf(numberOf(device))),
      devices.map((device) => tagOf(numberOf(device) * 7 + 1)),
    ],
  );
}

/** Returns devices spread over the whole app, so that few of their rows are already cached. */
function sample({ appId }: Carillon, size: number, count: number): SampledDevice[] {
  const step = Math.max(Math.floor(size / count), 1);
  return Array.from({ length: count }, (_, i) => sampleOf(appId, ((i * step * 7_919) % size) + 1));
}

const sampleOf = (appId: string, n: number) => ({ ...deviceOf(appId, n, traitsOf(n)), tag: tagOf(n) });
