import { performance } from 'node:perf_hooks';
import { pushTokenOf, shardOfDevice, shardOfGuid } from '#src/domain/device.ts';
import type { ShardDb } from '#src/truth/database.ts';
import { startStack } from '../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../test/support/carillon.ts';
import { Caller } from './caller.ts';
import type { Bench, Result } from './result.ts';

const DEVICES = 1_000_000;
const CALLS = 2_000;
/** A service that runs has been asked before: what Node compiles on the way is not measured. */
const WARM_UP = 4_000;
const DEVICES_PER_USER = 2;
/** Each tag is on a five-hundredth of the devices, and each device has two. */
const TAGS = 1_000;
/** A third of the devices is connected. */
const ONLINE_EVERY = 3;
const PAGE = 20;
const GOAL_MS = 5;
const DEVICES_PER_INSERT = 20_000;

/**
 * How long `/admin/device/find` takes by each of its ways in an app of a million devices, from the call to the whole
 * answer. Bare: the keys alone, asked from the one database that has them.
 */
export const lookUps: Bench = async ({ size = DEVICES, say }) => {
  await using parts = new AsyncDisposableStack();
  say('starting …');
  const stack = await startStack();
  parts.defer(() => stack.stop());
  const carillon = parts.use(await startCarillon({ stack, gateways: 0, workers: 0 }));
  const caller = parts.use(new Caller(carillon));
  await fill(carillon, size, say);
  const devices = sample(carillon, size, CALLS + WARM_UP);
  const results: Result[] = [];
  for (const [what, way] of Object.entries(ways)) {
    say(`${CALLS} look-ups by ${what}`);
    const ours = await measure(devices, (one) => lookUp(caller, way.body(one)));
    const bare = await measure(devices, (one) => askBare(carillon, one, way.bare(one)));
    const more = { p50: ours.p50, 'bare p50': bare.p50, 'rows each': ours.rows / CALLS };
    const reached = ours.p99 < GOAL_MS;
    results.push({ what, ours: ours.p99, bare: bare.p99, unit: 'ms p99', goal: `< ${GOAL_MS} ms`, reached, more });
  }
  return results;
};

interface Sampled {
  readonly guid: string;
  readonly pushToken: string;
  readonly userId: bigint;
  readonly alias: string;
  readonly tag: string;
  readonly deviceId: bigint;
}

interface Way {
  readonly body: (one: Sampled) => object;
  readonly bare: (one: Sampled) => readonly [text: string, value: unknown];
}

const BY_USER = 'select device_id from devices where app_id = $1 and user_id = $2';

const ways: Readonly<Record<string, Way>> = {
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
      `select device_id from tags where app_id = $1 and tag = $2 order by shard, device_id limit ${PAGE}`,
      tag,
    ],
  },
};

async function measure(sampled: readonly Sampled[], ask: (one: Sampled) => Promise<number>) {
  const times: number[] = [];
  let rows = 0;
  for (const [i, one] of sampled.entries()) {
    const began = performance.now();
    const found = await ask(one);
    if (i < WARM_UP) continue;
    times.push(performance.now() - began);
    rows += found;
    if (found === 0) throw new Error('Something that is there was not found.');
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] as number;
  return { p50: at(0.5), p99: at(0.99), rows };
}

async function lookUp(caller: Caller, body: object): Promise<number> {
  return (await caller.post<{ list: unknown[] }>('/admin/device/find', { ...body, limit: PAGE })).list.length;
}

async function askBare(
  { truth, appId }: Carillon,
  { deviceId }: Sampled,
  [text, value]: readonly [string, unknown],
): Promise<number> {
  return (await truth.shards.of(shardOfDevice(deviceId)).lookUp(text, [appId, value])).length;
}

/** Devices with a user, an alias, two tags and a binding each, as a year of logins would leave them. */
async function fill({ truth, appId }: Carillon, size: number, say: (line: string) => void): Promise<void> {
  const began = performance.now();
  const people = Math.ceil(size / DEVICES_PER_USER);
  for (let from = 1; from <= people; from += DEVICES_PER_INSERT) {
    const some = [appId, from, Math.min(from + DEVICES_PER_INSERT - 1, people)];
    await truth.home.query(
      'insert into users (app_id, user_id) select $1, 1000000 + n from generate_series($2::int, $3::int) as n',
      some,
    );
    await truth.home.query(
      `insert into aliases (app_id, alias, user_id)
       select $1, 'alias-' || n, 1000000 + n from generate_series($2::int, $3::int) as n`,
      some,
    );
  }
  for (const db of truth.shards.all)
    await db.query(`insert into gateways (gateway, epoch, heartbeat_at) values ('g', 1, now() + interval '1 day')`);
  for (let from = 1; from <= size; from += DEVICES_PER_INSERT) {
    const count = Math.min(DEVICES_PER_INSERT, size - from + 1);
    const made = Array.from({ length: count }, (_, i) => deviceOf(appId, from + i));
    for (const [db, group] of Map.groupBy(made, ({ shard }) => truth.shards.of(shard))) await insert(db, appId, group);
    if (((from - 1) / DEVICES_PER_INSERT) % 10 === 9) say(`${from + count - 1} of ${size} devices`);
  }
  for (const db of [truth.home, ...truth.shards.all]) await db.query('vacuum analyze');
  await truth.home.query('checkpoint'); // of the whole server: writing all this down is not what is measured
  say(`${size} devices made in ${Math.round((performance.now() - began) / 1_000)} s`);
}

function deviceOf(appId: string, n: number) {
  const guid = `device-${n}`;
  const shard = shardOfGuid(appId, guid);
  const user = Math.ceil(n / DEVICES_PER_USER);
  return {
    guid,
    shard,
    deviceId: BigInt(n) * 64n + BigInt(shard),
    userId: BigInt(1_000_000 + user),
    alias: `alias-${user}`,
    pushToken: pushTokenOf(shard, n.toString().padStart(27, '0')),
    tag: `tag-${n % TAGS}`,
    otherTag: `tag-${(n * 7 + 1) % TAGS}`,
    online: n % ONLINE_EVERY === 0,
  };
}

async function insert(db: ShardDb, appId: string, devices: readonly ReturnType<typeof deviceOf>[]): Promise<void> {
  await db.query(
    `with given as materialized (
       select *
         from unnest($2::smallint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[],
                     $9::text[], $10::boolean[])
              as g (shard, device_id, guid, user_id, push_token, alias, tag, other_tag, online)
     ), made as (
       insert into devices (app_id, shard, device_id, device_guid, user_id, push_token, alias, reach, registered_at)
       select $1, shard, device_id, guid, user_id, push_token, alias, 2, now() from given
     ), bound as (
       insert into bindings (app_id, shard, device_id, channel, token_hash, token, environment)
       select $1, shard, device_id, 'apns', sha256(convert_to(guid, 'utf8')), guid, 1 from given
     ), connected as (
       insert into sessions (shard, device_id, gateway, epoch, generation, online, since)
       select shard, device_id, 'g', 1, 1, true, now() from given where online
     )
     insert into tags (app_id, tag, shard, device_id)
     select $1, tag, shard, device_id from given
      union all
     select $1, other_tag, shard, device_id from given where other_tag <> tag`,
    [
      appId,
      devices.map(({ shard }) => shard),
      devices.map(({ deviceId }) => deviceId),
      devices.map(({ guid }) => guid),
      devices.map(({ userId }) => userId),
      devices.map(({ pushToken }) => pushToken),
      devices.map(({ alias }) => alias),
      devices.map(({ tag }) => tag),
      devices.map(({ otherTag }) => otherTag),
      devices.map(({ online }) => online),
    ],
  );
}

/** Spread over all of them, so that little of it was read before. */
function sample({ appId }: Carillon, size: number, count: number): Sampled[] {
  const step = Math.max(Math.floor(size / count), 1);
  return Array.from({ length: count }, (_, i) => deviceOf(appId, ((i * step * 7_919) % size) + 1));
}
