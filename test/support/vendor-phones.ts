import { BUCKETS, bucketOfGuid } from '#src/domain/bucket.ts';
import { domesticVendors, type VendorName, vendorNames } from '#src/domain/channel.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { reachBit } from '#src/domain/reach.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';
import { hashVendorToken } from '#src/storage/devices/bindings.ts';
import { simulatorToken } from '../../scripts/dev/simulator-token.ts';

const DEVICES_PER_INSERT = 5_000;

/** Far above the values of the databases' sequences, so that these ids do not collide with ids from a sequence. */
let nextNumber = 3_000_000;

/**
 * A phone with tokens from some vendors. It was not connected recently, so no notification waits for it on the Carillon
 * channel.
 */
export interface VendorPhone {
  /** The vendor of its first token. */
  readonly vendor: VendorName;
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly guid: string;
  readonly pushToken: string;
  /** The names of its vendor tokens, which select the responses of the simulators. */
  readonly tokens: ReadonlyMap<VendorName, string>;
}

export const guidOf = ({ guid }: VendorPhone): string => guid;

/** Inserts `phonesPerVendor` phones for each vendor, in the state after logins and bindings. */
export async function insertVendorPhones(
  storage: Storage,
  appId: string,
  phonesPerVendor: number,
  tokensOf: (vendor: VendorName, i: number) => ReadonlyMap<VendorName, string>,
): Promise<VendorPhone[]> {
  const phones = vendorNames.flatMap((vendor) =>
    Array.from({ length: phonesPerVendor }, (_, i) => createPhone(appId, vendor, nextNumber++, tokensOf(vendor, i))),
  );
  for (let i = 0; i < phones.length; i += DEVICES_PER_INSERT) {
    const batch = phones.slice(i, i + DEVICES_PER_INSERT);
    for (const [db, group] of Map.groupBy(batch, ({ bucket }) => storage.shards.dbFor(bucket)))
      await insertPhones(db, appId, group);
    await insertTokenOwners(storage, appId, batch);
  }
  return phones;
}

function createPhone(
  appId: string,
  vendor: VendorName,
  number: number,
  tokens: ReadonlyMap<VendorName, string>,
): VendorPhone {
  const guid = `bell-${number}`;
  const bucket = bucketOfGuid(appId, guid);
  const deviceId = BigInt(number) * BigInt(BUCKETS) + BigInt(bucket);
  return {
    vendor,
    bucket,
    deviceId,
    guid,
    pushToken: pushTokenOf(bucket, number.toString().padStart(27, '0')),
    tokens,
  };
}

const isDomestic = (vendor: VendorName): boolean => (domesticVendors as readonly VendorName[]).includes(vendor);

async function insertPhones(db: ShardDb, appId: string, phones: readonly VendorPhone[]): Promise<void> {
  await db.query(
    `insert into devices
       (app_id, bucket, device_id, device_guid, user_id, push_token, reach, latest_domestic, registered_at, seen_on)
     select $1, bucket, device_id, guid, device_id, push_token, reach, latest, now(), current_date - 60
       from unnest($2::smallint[], $3::bigint[], $4::text[], $5::text[], $6::int[], $7::text[])
            as g (bucket, device_id, guid, push_token, reach, latest)`,
    [
      appId,
      phones.map(({ bucket }) => bucket),
      phones.map(({ deviceId }) => deviceId),
      phones.map(({ guid }) => guid),
      phones.map(({ pushToken }) => pushToken),
      phones.map(({ tokens }) => [...tokens.keys()].reduce((reach, vendor) => reach | reachBit(vendor, 1), 0)),
      phones.map(({ tokens }) => [...tokens.keys()].find(isDomestic) ?? null),
    ],
  );
  const bindings = phones.flatMap(({ bucket, deviceId, tokens }) =>
    [...tokens].map(([channel, token]) => ({ bucket, deviceId, channel, token })),
  );
  await db.query(
    `insert into bindings (app_id, bucket, device_id, channel, token_hash, token, environment)
     select $1, bucket, device_id, channel, token_hash, token, 1
       from unnest($2::smallint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[])
            as b (bucket, device_id, channel, token, token_hash)`,
    [
      appId,
      bindings.map(({ bucket }) => bucket),
      bindings.map(({ deviceId }) => deviceId),
      bindings.map(({ channel }) => channel),
      bindings.map(({ channel, token }) => simulatorToken(channel, token)),
      bindings.map(hashOf),
    ],
  );
}

const hashOf = ({ channel, token }: { readonly channel: VendorName; readonly token: string }): Buffer =>
  hashVendorToken(simulatorToken(channel, token), channel);

/** Inserts the owner of each token. Vendor callbacks use these rows to find the device of a receipt. */
async function insertTokenOwners(storage: Storage, appId: string, phones: readonly VendorPhone[]): Promise<void> {
  const owners = phones.flatMap(({ deviceId, tokens }) =>
    [...tokens].map(([channel, token]) => ({ deviceId, channel, token })),
  );
  await storage.home.query(
    `insert into vendor_token_owners (app_id, channel, token_hash, device_id)
     select $1, channel, token_hash, device_id
       from unnest($2::text[], $3::bytea[], $4::bigint[]) as b (channel, token_hash, device_id)`,
    [appId, owners.map(({ channel }) => channel), owners.map(hashOf), owners.map(({ deviceId }) => deviceId)],
  );
}
