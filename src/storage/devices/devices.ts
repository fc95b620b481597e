import type { VendorName } from '#src/domain/channel.ts';
import { NATIVE_TARGET_DAYS } from '#src/domain/device.ts';
import type { Reach } from '#src/domain/reach.ts';
import type { ShardDb } from '../database/database.ts';
import { LIVE_SESSION_JOIN, TAKEOVERS } from './presence.ts';

export interface DeviceKey {
  readonly appId: string;
  readonly bucket: number;
  readonly deviceId: bigint;
}

/** The properties that decide a device's route. */
export interface DeviceRouting {
  readonly reach: Reach;
  readonly latestDomestic: VendorName | null;
  /** The device was seen within the last 30 days, so a notification can wait for it on the Carillon channel. */
  readonly nativeTarget: boolean;
  /** The gateway that holds the device's session now. */
  readonly gateway: string | null;
}

/** A device with the fields that expansion and sending need. */
export interface Device extends DeviceRouting {
  readonly appId: string;
  readonly deviceId: bigint;
  readonly userId: bigint | null;
  readonly pushToken: string;
  readonly generation: number;
  readonly alias: string | null;
  readonly registeredAt: Date;
}

/**
 * Devices as comma-separated lists of numbers, so that slices for a million devices are created without parsing each
 * number.
 */
export interface Targets {
  readonly placeCount: number;
  readonly deviceIds: string;
  readonly generations: string;
}

/** Devices that have the same routing properties. */
export interface DeviceGroup extends DeviceRouting, Targets {}

/** Requires `devices d` and the live session `s`. */
export const ROUTING_COLUMNS = `
  d.reach, d.latest_domestic as "latestDomestic", d.seen_on > current_date - ${NATIVE_TARGET_DAYS} as "nativeTarget",
  s.gateway`;

export const DEVICE_COLUMNS = `
  d.app_id as "appId", d.device_id as "deviceId", d.user_id as "userId", d.push_token as "pushToken", d.generation,
  d.alias, d.registered_at as "registeredAt", ${ROUTING_COLUMNS}`;

export async function findDevices(db: ShardDb, keys: readonly DeviceKey[]): Promise<Device[]> {
  return db.queryPrepared<Device>(
    `select ${DEVICE_COLUMNS}
       from devices d ${LIVE_SESSION_JOIN}
      where (d.app_id, d.bucket, d.device_id) in (select * from unnest($1::text[], $2::smallint[], $3::bigint[]))`,
    keyColumns(keys),
  );
}

export async function findDevicesOfUsers(
  db: ShardDb,
  users: readonly { appId: string; userId: bigint }[],
): Promise<Device[]> {
  return db.queryPrepared<Device>(
    `select ${DEVICE_COLUMNS}
       from devices d ${LIVE_SESSION_JOIN}
      where (d.app_id, d.user_id) in (select * from unnest($1::text[], $2::bigint[]))`,
    [users.map(({ appId }) => appId), users.map(({ userId }) => userId)],
  );
}

export async function findDevicesByPushToken(
  db: ShardDb,
  tokens: readonly { appId: string; bucket: number; pushToken: string }[],
): Promise<Device[]> {
  return db.queryPrepared<Device>(
    `select ${DEVICE_COLUMNS}
       from devices d ${LIVE_SESSION_JOIN}
      where (d.app_id, d.bucket, d.push_token) in (select * from unnest($1::text[], $2::smallint[], $3::text[]))
        and d.user_id is not null`,
    [tokens.map(({ appId }) => appId), tokens.map(({ bucket }) => bucket), tokens.map(({ pushToken }) => pushToken)],
  );
}

/** The identity that a connecting device claims. */
export interface DeviceIdentity extends DeviceKey {
  readonly deviceGuid: string;
  readonly pushToken: string;
  readonly generation: number;
}

/** A device whose claimed identity is valid. */
export interface ConnectingDevice {
  /**
   * The time of this connection by the database's clock. It is later than every earlier connection of the device, even
   * if the clock was set back.
   */
  readonly since: string;
  /** The number of times within a minute that one connection of the device replaced another. */
  readonly takeovers: number;
  /** A session of the device is recorded, on any gateway. The new connection replaces it. */
  readonly isTakeover: boolean;
}

/** The part of a claimed identity that differs from the device. Without a login, the device has no owner. */
export type IdentityMismatch = 'device-guid' | 'push-token' | 'login';

/**
 * Compares claimed identities with the devices, and records that the devices were seen today. Returns one result per
 * identity, in order.
 */
export async function findConnectingDevices(
  db: ShardDb,
  identities: readonly DeviceIdentity[],
): Promise<(ConnectingDevice | IdentityMismatch)[]> {
  const rows = await db.query<ConnectingDevice & { position: number; mismatch: IdentityMismatch | null }>(
    `with claimed as materialized (
       select c.position, d.app_id, d.bucket, d.device_id, d.seen_on,
              case when d.device_guid <> c.device_guid then 'device-guid'
                   when d.push_token <> c.push_token then 'push-token' end as mismatch
         from unnest($1::text[], $2::smallint[], $3::bigint[], $4::text[], $5::text[], $6::int[])
              with ordinality as c (app_id, bucket, device_id, device_guid, push_token, generation, position)
         join devices d using (app_id, bucket, device_id, generation)
        where d.user_id is not null
     ), unseen as (
       select d.app_id, d.bucket, d.device_id
         from devices d join claimed c using (app_id, bucket, device_id)
        where c.seen_on <> current_date and c.mismatch is null
        order by 1, 2, 3
          for no key update of d
     ), seen as (
       update devices d set seen_on = current_date from unseen u
        where (d.app_id, d.bucket, d.device_id) = (u.app_id, u.bucket, u.device_id)
     )
     select c.position::int, c.mismatch, greatest(clock_timestamp(), s.since + interval '1 microsecond')::text as since,
            coalesce(${TAKEOVERS}, 0) as takeovers, coalesce(s.online, false) as "isTakeover"
       from claimed c left join sessions s on s.bucket = c.bucket and s.device_id = c.device_id`,
    [
      ...keyColumns(identities),
      identities.map(({ deviceGuid }) => deviceGuid),
      identities.map(({ pushToken }) => pushToken),
      identities.map(({ generation }) => generation),
    ],
  );
  const byPosition = new Map(rows.map(({ position, mismatch, ...device }) => [position, mismatch ?? device]));
  return identities.map((_, i) => byPosition.get(i + 1) ?? 'login');
}

/** Returns keys as the columns of an unnest: app, bucket, device. */
export function keyColumns(keys: readonly DeviceKey[]): unknown[] {
  return [keys.map(({ appId }) => appId), keys.map(({ bucket }) => bucket), keys.map(({ deviceId }) => deviceId)];
}
