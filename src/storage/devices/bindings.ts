import { createHash } from 'node:crypto';
import { badgeVendors, type Environment, type VendorName } from '#src/domain/channel.ts';
import { reachBit, vendorBits } from '#src/domain/reach.ts';
import { tokenIdentity } from '#src/domain/vendor-account/token-identity.ts';
import { inTransaction, type ShardDb } from '../database/database.ts';
import { badgeIn, blockOf } from './badges.ts';
import { type DeviceKey, keyColumns } from './devices.ts';

export interface Binding {
  readonly deviceId: bigint;
  readonly generation: number;
  /** The owner of the device. */
  readonly userId: bigint | null;
  readonly token: string;
  readonly environment: Environment;
  /** As printed by the database, because a Date would truncate the microseconds. */
  readonly boundAt: string;
  /** The number on the app's icon. Zero at vendors that do not need it. */
  readonly badge: number;
}

/**
 * Returns the active bindings of these devices at one vendor, with the generation they belong to. `offset 0` makes
 * PostgreSQL look up each device by its key. Without statistics, as after a restore, it would otherwise expect few
 * bindings at this vendor, and compare all of them with all keys.
 */
export async function findBindings(db: ShardDb, channel: VendorName, keys: readonly DeviceKey[]): Promise<Binding[]> {
  const badge = `coalesce((select ${badgeIn('d.device_id', 'd.generation')} from badge_blocks b
                            where b.app_id = k.app_id and b.bucket = k.bucket and b.block = ${blockOf('k.device_id')}), 0)`;
  return db.queryPrepared<Binding>(
    `select o.device_id as "deviceId", d.generation, d.user_id as "userId", o.token, o.environment,
            o.bound_at::text as "boundAt", ${badgeVendors.includes(channel) ? badge : '0'} as badge
       from (select distinct * from unnest($1::text[], $2::smallint[], $3::bigint[])) as k (app_id, bucket, device_id)
      cross join lateral (
              select *
                from bindings
               where app_id = k.app_id and bucket = k.bucket and device_id = k.device_id and channel = $4
                 and ended_at is null
              offset 0) o
       join devices d on d.app_id = k.app_id and d.bucket = k.bucket and d.device_id = k.device_id`,
    [...keyColumns(keys), channel],
  );
}

/** Returns the hash by which the bindings and the owner of a vendor token are found. */
export const hashVendorToken = (token: string, channel: VendorName): Buffer =>
  createHash('sha256').update(tokenIdentity(token, channel)).digest();

/**
 * Binds a vendor token to a device and ends an older token at that vendor. Returns the time of the binding as printed
 * by the database, because a Date would truncate the microseconds. Returns undefined if the device was logged out.
 */
export function bindVendorToken(
  db: ShardDb,
  key: DeviceKey & { generation: number },
  binding: { channel: VendorName; environment: Environment; token: string; domestic: boolean },
): Promise<string | undefined> {
  const { appId, bucket, deviceId, generation } = key;
  const { channel, environment, token, domestic } = binding;
  const hash = hashVendorToken(token, channel);
  return inTransaction(db, async (tx) => {
    const updatedDevices = await tx.query(
      `update devices
          set reach = (reach & ~$5::int) | $6::int,
              latest_domestic = case when $7 then $8 else latest_domestic end
        where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4
        returning device_id`,
      [appId, bucket, deviceId, generation, vendorBits(channel), reachBit(channel, environment), domestic, channel],
    );
    if (updatedDevices.length === 0) return undefined;
    await tx.query(
      `update bindings set ended_at = now(), ended_why = 'replaced'
        where app_id = $1 and bucket = $2 and device_id = $3 and channel = $4 and token_hash <> $5 and ended_at is null`,
      [appId, bucket, deviceId, channel, hash],
    );
    const [boundRow] = await tx.query<{ boundAt: string }>(
      `insert into bindings (app_id, bucket, device_id, channel, token_hash, token, environment)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (app_id, bucket, device_id, channel, token_hash) do update
          set token = excluded.token, environment = excluded.environment, bound_at = now(), ended_at = null,
              ended_why = null
       returning bound_at::text as "boundAt"`,
      [appId, bucket, deviceId, channel, hash, token, environment],
    );
    return boundRow?.boundAt;
  });
}

export interface BindingToEnd extends DeviceKey {
  readonly channel: VendorName;
  readonly tokenHash: Buffer;
  /** Ends the binding only if the token was bound at this time and has not been bound again since. */
  readonly boundAt?: string;
  /** Ends the binding only if it is not newer than this time. */
  readonly boundBefore?: Date | undefined;
  readonly endReason: string;
}

/**
 * Ends bindings that are still active, because the token moved to another device or the vendor reported it as dead.
 * Devices are locked first and in key order, as in all code that writes both tables. A call can include at most one
 * binding per device.
 */
export function endBindings(db: ShardDb, bindings: readonly BindingToEnd[]): Promise<void> {
  const columns = [
    ...keyColumns(bindings),
    bindings.map(({ channel }) => channel),
    bindings.map(({ tokenHash }) => tokenHash),
    bindings.map(({ endReason }) => endReason),
    bindings.map(({ channel }) => vendorBits(channel)),
    bindings.map(({ boundAt }) => boundAt ?? null),
    bindings.map(({ boundBefore }) => boundBefore ?? null),
  ];
  return inTransaction(db, async (tx) => {
    await tx.query(
      `select from devices
        where (app_id, bucket, device_id) in (select * from unnest($1::text[], $2::smallint[], $3::bigint[]))
        order by app_id, bucket, device_id
          for update`,
      columns.slice(0, 3),
    );
    await tx.query(
      `with e as (
         select *
           from unnest($1::text[], $2::smallint[], $3::bigint[], $4::text[], $5::bytea[], $6::text[], $7::int[],
                       $8::timestamptz[], $9::timestamptz[])
                as u (app_id, bucket, device_id, channel, token_hash, why, bits, bound_at, since)
       ), ended as (
         update bindings b set ended_at = now(), ended_why = e.why
           from e
          where (b.app_id, b.bucket, b.device_id, b.channel) = (e.app_id, e.bucket, e.device_id, e.channel)
            and b.token_hash = e.token_hash and b.ended_at is null and b.bound_at = coalesce(e.bound_at, b.bound_at)
            and b.bound_at <= coalesce(e.since, 'infinity')
          returning e.*
       )
       update devices d
          set reach = d.reach & ~ended.bits, latest_domestic = nullif(d.latest_domestic, ended.channel)
         from ended
        where (d.app_id, d.bucket, d.device_id) = (ended.app_id, ended.bucket, ended.device_id)`,
      columns,
    );
  });
}

/** Ends the device's binding at this vendor, regardless of its token. Returns false if the device was logged out. */
export function endBinding(
  db: ShardDb,
  { appId, bucket, deviceId, generation }: DeviceKey & { generation: number },
  channel: VendorName,
  endReason: string,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const updatedDevices = await tx.query(
      `update devices
          set reach = reach & ~$5::int, latest_domestic = nullif(latest_domestic, $6)
        where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4
        returning device_id`,
      [appId, bucket, deviceId, generation, vendorBits(channel), channel],
    );
    if (updatedDevices.length === 0) return false;
    await tx.query(
      `update bindings set ended_at = now(), ended_why = $5
        where app_id = $1 and bucket = $2 and device_id = $3 and channel = $4 and ended_at is null`,
      [appId, bucket, deviceId, channel, endReason],
    );
    return true;
  });
}
