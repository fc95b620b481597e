import { type Channel, domesticVendors, type VendorName, vendorFacts } from '#src/domain/channel.ts';
import { reachBit } from '#src/domain/reach.ts';
import type { HomeDb } from '#src/storage/database/database.ts';

/** The vendor of every hundredth part of the devices. The rest has only the Carillon channel. */
const shares: readonly (readonly [VendorName, number])[] = [
  ['apns', 24],
  ['huawei', 16],
  ['xiaomi', 14],
  ['oppo', 12],
  ['vivo', 11],
  ['honor', 7],
  ['fcm', 6],
  ['harmony', 3],
  ['flyme', 1],
];

const tagShares = { vip: 0.06, 'city-shanghai': 0.12, 'abandoned-cart': 0.04, markets: 0.22, sports: 0.31 } as const;

/**
 * Inserts devices with users, bindings, tags and aliases. Three users have four devices. The bucket of a device is the
 * hash of its app and guid, as in `bucketOfGuid`.
 */
export async function insertDevices(db: HomeDb, appId: string, count: number, firstNumber: number): Promise<void> {
  const vendors = shares.flatMap(([vendor, share]) => Array.from({ length: share }, () => vendor));
  const reaches = vendors.map((vendor) => reachBit(vendor, 1));
  await db.query(
    `create temp table new_devices on commit drop as
     select i, guid, bucket, ($5::bigint + i - 1) * 4096 + bucket as device_id, vendors[k] as vendor,
            coalesce(reaches[k], 0) as reach, 'live-demo-' || guid as token, 200000 + (i * 3) / 4 as user_id
       from generate_series(1, $2::int) as i,
            lateral (select 'demo-' || i, sha256(convert_to($1, 'utf8') || '\\x00' || convert_to('demo-' || i, 'utf8')))
                    as h (guid, hash),
            lateral (select ((get_byte(hash, 0) << 4) | (get_byte(hash, 1) >> 4))::smallint) as b (bucket),
            (select $3::text[], $4::int[]) as v (vendors, reaches),
            lateral (select 1 + (i * 37) % 100) as s (k)`,
    [appId, count, vendors, reaches, firstNumber],
  );
  await db.query(
    `insert into users (app_id, user_id, name, mobile, email, device_buckets, created_at)
     select $1, user_id, 'user-' || user_id, '+86139' || lpad(user_id::text, 8, '0'), 'user-' || user_id || '@example.com',
            array_agg(distinct bucket), now() - random() * interval '300 days'
       from new_devices group by user_id`,
    [appId],
  );
  await db.query(
    `insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, alias, reach, latest_domestic,
                          registered_at, seen_on)
     select $1, bucket, device_id, guid, user_id, 'p' || lpad(to_hex(bucket::int), 3, '0') || substr(md5($1 || guid), 1, 27),
            case when i % 8 = 0 then 'customer-' || user_id end, reach, case when vendor = any($2) then vendor end,
            now() - interval '20 days' - random() * interval '200 days', current_date - floor(random() * 25)::int
       from new_devices`,
    [appId, domesticVendors],
  );
  await db.query(
    `insert into aliases (app_id, alias, user_id)
     select distinct $1, alias, user_id from devices where app_id = $1 and alias is not null`,
    [appId],
  );
  await db.query(
    `with bound as (
       insert into bindings (app_id, bucket, device_id, channel, token_hash, token, environment, bound_at)
       select $1, bucket, device_id, vendor, sha256(convert_to(token, 'utf8')), token, 1, now() - interval '20 days'
         from new_devices where vendor is not null
       returning channel, token_hash, device_id
     )
     insert into vendor_token_owners (app_id, channel, token_hash, device_id)
     select $1, channel, token_hash, device_id from bound`,
    [appId],
  );
  for (const [tag, share] of Object.entries(tagShares))
    await db.query(
      `insert into tags (app_id, tag, bucket, device_id)
       select $1, $2, bucket, device_id from new_devices where random() < $3`,
      [appId, tag, share],
    );
  await db.query('drop table new_devices');
}

/** Returns whether a channel reports receipts. */
export const hasReceipts = (channel: Channel): boolean =>
  channel === 'nativepush' || vendorFacts[channel].sendsReceipts;
