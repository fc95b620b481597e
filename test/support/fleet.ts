import { BUCKETS, bucketOfGuid } from '#src/domain/bucket.ts';
import { pushTokenOf } from '#src/domain/device.ts';
import { reachBit } from '#src/domain/reach.ts';
import type { ShardDb, Storage } from '#src/storage/database/database.ts';

/**
 * One in 50 phones has a dead token, and APNs throttles one in 200. For one in 100, APNs takes two seconds to respond,
 * so that calls are always in progress.
 */
const DEAD_EVERY = 50;
const BUSY_EVERY = 200;
const SLOW_EVERY = 100;
const DEVICES_PER_INSERT = 10_000;

/** Far above the values of the databases' sequences, so that these ids do not collide with ids from a sequence. */
let nextNumber = 1_000_000;

interface Phone {
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly guid: string;
  readonly pushToken: string;
  readonly apnsToken: string;
}

/** Many phones with APNs tokens, in the state after logins and bindings. None of them was connected recently. */
export class Fleet {
  readonly size: number;
  readonly dead: number;
  /** Push tokens of the phones for which APNs accepts notifications. */
  readonly livePushTokens: readonly string[];
  readonly #storage: Storage;
  readonly #appId: string;

  constructor(storage: Storage, appId: string, phones: readonly Phone[]) {
    const named = (outcome: string) => phones.filter(({ apnsToken }) => apnsToken.startsWith(`${outcome}-`));
    this.#storage = storage;
    this.#appId = appId;
    this.size = phones.length;
    this.dead = named('dead').length;
    this.livePushTokens = named('live').map(({ pushToken }) => pushToken);
  }

  /** Makes APNs accept notifications for the throttled phones. */
  async endThrottle(): Promise<void> {
    for (const db of this.#storage.shards.all)
      await db.query(
        `update bindings
            set token = 'live' || substr(token, 5), token_hash = sha256(convert_to('live' || substr(token, 5), 'utf8'))
          where app_id = $1 and token like 'busy-%' and ended_at is null`,
        [this.#appId],
      );
    await this.retryNow();
  }

  /** Makes waiting slices due now, because a throttle lasts a minute, which is too long for a test. */
  async retryNow(): Promise<void> {
    for (const db of this.#storage.shards.all)
      await db.query(`update slices set next_at = now() where app_id = $1 and state = 'ready' and next_at > now()`, [
        this.#appId,
      ]);
  }
}

export async function insertFleet(storage: Storage, appId: string, size: number): Promise<Fleet> {
  const phones = Array.from({ length: size }, () => createPhone(appId, nextNumber++));
  for (let i = 0; i < phones.length; i += DEVICES_PER_INSERT) {
    const batch = phones.slice(i, i + DEVICES_PER_INSERT);
    for (const [db, group] of Map.groupBy(batch, ({ bucket }) => storage.shards.dbFor(bucket)))
      await insertPhones(db, appId, group);
  }
  return new Fleet(storage, appId, phones);
}

function createPhone(appId: string, number: number): Phone {
  const guid = `fleet-${number}`;
  const bucket = bucketOfGuid(appId, guid);
  const prefix = tokenPrefixOf(number);
  return {
    bucket,
    deviceId: BigInt(number) * BigInt(BUCKETS) + BigInt(bucket),
    guid,
    pushToken: pushTokenOf(bucket, number.toString().padStart(27, '0')),
    apnsToken: `${prefix}-${number}`,
  };
}

function tokenPrefixOf(number: number): 'live' | 'dead' | 'busy' | 'slow' {
  if (number % DEAD_EVERY === 7) return 'dead';
  if (number % BUSY_EVERY === 11) return 'busy';
  return number % SLOW_EVERY === 3 ? 'slow' : 'live';
}

/**
 * Inserts phones that were last seen so long ago that no notification waits for them on the Carillon channel. A dead
 * token is then a final result.
 */
async function insertPhones(db: ShardDb, appId: string, phones: readonly Phone[]): Promise<void> {
  await db.query(
    `with given as materialized (
       select * from unnest($2::smallint[], $3::bigint[], $4::text[], $5::text[], $6::text[])
                     as g (bucket, device_id, guid, push_token, apns_token)
     ), made as (
       insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, reach, registered_at, seen_on)
       select $1, bucket, device_id, guid, device_id, push_token, $7, now(), current_date - 60 from given
     )
     insert into bindings (app_id, bucket, device_id, channel, token_hash, token, environment)
     select $1, bucket, device_id, 'apns', sha256(convert_to(apns_token, 'utf8')), apns_token, 1 from given`,
    [
      appId,
      phones.map(({ bucket }) => bucket),
      phones.map(({ deviceId }) => deviceId),
      phones.map(({ guid }) => guid),
      phones.map(({ pushToken }) => pushToken),
      phones.map(({ apnsToken }) => apnsToken),
      reachBit('apns', 1),
    ],
  );
}
