import type { Vendor } from '#src/domain/channel.ts';
import { NATIVE_TARGET_DAYS } from '#src/domain/device.ts';
import type { Reach } from '#src/domain/reach.ts';
import type { ShardDb } from './database.ts';
import { LIVE_SESSION_JOIN } from './presence.ts';

export interface DeviceKey {
  readonly appId: string;
  readonly shard: number;
  readonly deviceId: bigint;
}

/** What decides a device's way. */
export interface Whereabouts {
  readonly reach: Reach;
  readonly latestDomestic: Vendor | null;
  /** Seen within the last 30 days, so that a message may wait for it on the own channel. */
  readonly nativeTarget: boolean;
  /** The gateway that holds its session now. */
  readonly gateway: string | null;
}

/** A device as expansion and sending see it. */
export interface Device extends Whereabouts {
  readonly appId: string;
  readonly deviceId: bigint;
  readonly userId: bigint | null;
  readonly pushToken: string;
  readonly generation: number;
  readonly alias: string | null;
  readonly registeredAt: Date;
}

/** Devices as lists of numbers with commas between: whoever makes slices of a million of them reads none. */
export interface Targets {
  readonly n: number;
  readonly deviceIds: string;
  readonly generations: string;
}

/** Devices that routing cannot tell apart. */
export interface DeviceGroup extends Whereabouts, Targets {}

/** With `devices d` and the live session `s`. */
export const WHEREABOUTS_COLUMNS = `
  d.reach, d.latest_domestic as "latestDomestic", d.seen_on > current_date - ${NATIVE_TARGET_DAYS} as "nativeTarget",
  s.gateway`;

export const DEVICE_COLUMNS = `
  d.app_id as "appId", d.device_id as "deviceId", d.user_id as "userId", d.push_token as "pushToken", d.generation,
  d.alias, d.registered_at as "registeredAt", ${WHEREABOUTS_COLUMNS}`;

export async function findDevices(db: ShardDb, keys: readonly DeviceKey[]): Promise<Device[]> {
  return db.query<Device>(
    `select ${DEVICE_COLUMNS}
       from devices d ${LIVE_SESSION_JOIN}
      where (d.app_id, d.shard, d.device_id) in (select * from unnest($1::text[], $2::smallint[], $3::bigint[]))`,
    keyColumns(keys),
  );
}

export async function findDevicesOfUsers(
  db: ShardDb,
  users: readonly { appId: string; userId: bigint }[],
): Promise<Device[]> {
  return db.query<Device>(
    `select ${DEVICE_COLUMNS}
       from devices d ${LIVE_SESSION_JOIN}
      where (d.app_id, d.user_id) in (select * from unnest($1::text[], $2::bigint[]))`,
    [users.map(({ appId }) => appId), users.map(({ userId }) => userId)],
  );
}

export async function findDevicesByPushToken(
  db: ShardDb,
  tokens: readonly { appId: string; pushToken: string }[],
): Promise<Device[]> {
  return db.query<Device>(
    `select ${DEVICE_COLUMNS}
       from devices d ${LIVE_SESSION_JOIN}
      where (d.app_id, d.push_token) in (select * from unnest($1::text[], $2::text[]))
        and d.user_id is not null`,
    [tokens.map(({ appId }) => appId), tokens.map(({ pushToken }) => pushToken)],
  );
}

/** A device that wants to connect: its row if guid, push token and generation are what it claims. */
export async function findConnectingDevice(
  db: ShardDb,
  claim: DeviceKey & { deviceGuid: string; pushToken: string; generation: number },
): Promise<{ since: string } | undefined> {
  const [found] = await db.query<{ since: string }>(
    `with seen as (
       update devices set seen_on = current_date
        where app_id = $1 and shard = $2 and device_id = $3 and seen_on <> current_date
     )
     select clock_timestamp()::text as since
       from devices
      where app_id = $1 and shard = $2 and device_id = $3
        and device_guid = $4 and push_token = $5 and generation = $6 and user_id is not null`,
    [claim.appId, claim.shard, claim.deviceId, claim.deviceGuid, claim.pushToken, claim.generation],
  );
  return found;
}

/** Keys as the columns of an unnest: app, shard, device. */
export function keyColumns(keys: readonly DeviceKey[]): unknown[] {
  return [keys.map(({ appId }) => appId), keys.map(({ shard }) => shard), keys.map(({ deviceId }) => deviceId)];
}
