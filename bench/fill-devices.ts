import { performance } from 'node:perf_hooks';
import { BUCKETS, bucketOfGuid } from '#src/domain/bucket.ts';
import type { VendorName } from '#src/domain/channel.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { reachBit } from '#src/domain/reach.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type { Carillon } from '../test/support/carillon.ts';

const DEVICES_PER_USER = 2;
const DEVICES_PER_INSERT = 20_000;

/** Properties in which devices differ, besides their identifiers. */
export interface Traits {
  /** Vendors with a binding. `latestDomestic` is the domestic vendor that was bound last, which `ups` tries first. */
  readonly vendors: readonly VendorName[];
  readonly latestDomestic: VendorName | null;
  readonly generation: number;
  readonly seenDaysAgo: number;
  /** The gateway that the device is connected to. */
  readonly gateway: string | null;
}

export interface FilledDevice extends Traits {
  readonly guid: string;
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly user: number;
  readonly userId: bigint;
  readonly alias: string;
  readonly pushToken: string;
}

/** Returns the nth device of an app. The result depends only on the arguments. */
export function deviceOf(appId: string, index: number, traits: Traits): FilledDevice {
  const guid = `device-${index}`;
  const bucket = bucketOfGuid(appId, guid);
  const user = Math.ceil(index / DEVICES_PER_USER);
  return {
    ...traits,
    guid,
    bucket,
    deviceId: BigInt(index) * BigInt(BUCKETS) + BigInt(bucket),
    user,
    userId: BigInt(1_000_000 + user),
    alias: `alias-${user}`,
    pushToken: pushTokenOf(bucket, index.toString().padStart(27, '0')),
  };
}

/** Inserts devices with a user and bindings, some of them connected. `afterInsert` inserts related rows. */
export async function fillDevices(
  { storage, appId }: Pick<Carillon, 'storage' | 'appId'>,
  options: {
    size: number;
    say: (line: string) => void;
    traitsOf: (n: number) => Traits;
    gateways: readonly string[];
    afterInsert?: (db: ShardDb, devices: readonly FilledDevice[]) => Promise<void>;
  },
): Promise<void> {
  const { size, say, traitsOf, gateways, afterInsert } = options;
  const began = performance.now();
  for (const db of storage.shards.all)
    await db.query(
      `insert into gateways (gateway, epoch, heartbeat_at)
       select gateway, 1, now() + interval '1 day' from unnest($1::text[]) as g (gateway)`,
      [gateways],
    );
  for (let from = 1; from <= size; from += DEVICES_PER_INSERT) {
    const count = Math.min(DEVICES_PER_INSERT, size - from + 1);
    const batch = Array.from({ length: count }, (_, i) => deviceOf(appId, from + i, traitsOf(from + i)));
    for (const [db, group] of Map.groupBy(batch, ({ bucket }) => storage.shards.dbFor(bucket))) {
      await insert(db, appId, group);
      await afterInsert?.(db, group);
    }
    if (((from - 1) / DEVICES_PER_INSERT) % 10 === 9) say(`${from + count - 1} of ${size} devices`);
  }
  for (const db of [storage.home, ...storage.shards.all]) await db.query('vacuum analyze');
  await storage.home.query('checkpoint'); // writes all modified pages to disk now, so that these writes are not measured
  say(`${size} devices created in ${Math.round((performance.now() - began) / 1_000)} s`);
}

/** The production environment. The other environment is for apps in development. */
const ENVIRONMENT = 1;

async function insert(db: ShardDb, appId: string, devices: readonly FilledDevice[]): Promise<void> {
  await db.query(
    `with given as materialized (
       select *
         from unnest($2::smallint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::int[],
                     $9::text[], $10::int[], $11::int[], $12::text[], $13::text[])
              as g (bucket, device_id, guid, user_id, push_token, alias, reach, latest_domestic, generation,
                    seen_days_ago, gateway, vendors)
     ), made as (
       insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, alias, reach, latest_domestic,
                            generation, seen_on, registered_at)
       select $1, bucket, device_id, guid, user_id, push_token, alias, reach, latest_domestic, generation,
              current_date - seen_days_ago, now()
         from given
     ), bound as (
       insert into bindings (app_id, bucket, device_id, channel, token_hash, token, environment)
       select $1, bucket, device_id, channel, sha256(convert_to('live-' || guid, 'utf8')), 'live-' || guid, ${ENVIRONMENT}
         from given, unnest(string_to_array(vendors, ',')) as v (channel)
     )
     insert into sessions (bucket, device_id, gateway, epoch, generation, online, since)
     select bucket, device_id, gateway, 1, generation, true, now() from given where gateway is not null`,
    [
      appId,
      devices.map(({ bucket }) => bucket),
      devices.map(({ deviceId }) => deviceId),
      devices.map(({ guid }) => guid),
      devices.map(({ userId }) => userId),
      devices.map(({ pushToken }) => pushToken),
      devices.map(({ alias }) => alias),
      devices.map(({ vendors }) => vendors.reduce((reach, vendor) => reach | reachBit(vendor, ENVIRONMENT), 0)),
      devices.map(({ latestDomestic }) => latestDomestic),
      devices.map(({ generation }) => generation),
      devices.map(({ seenDaysAgo }) => seenDaysAgo),
      devices.map(({ gateway }) => gateway),
      devices.map(({ vendors }) => vendors.join(',')),
    ],
  );
}
