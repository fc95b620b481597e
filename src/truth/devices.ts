import { createHash } from 'node:crypto';
import type { Environment, Vendor } from '#src/domain/channel.ts';
import { NATIVE_TARGET_DAYS } from '#src/domain/device.ts';
import { type Reach, reachBit, vendorBits } from '#src/domain/reach.ts';
import { inTransaction, type ShardDb } from './database.ts';
import { LIVE_SESSION_JOIN } from './presence.ts';

export interface DeviceKey {
  readonly appId: string;
  readonly shard: number;
  readonly deviceId: bigint;
}

export interface Registration {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly pushToken: string;
}

/** A device as expansion and sending see it. */
export interface Device {
  readonly appId: string;
  readonly deviceId: bigint;
  readonly userId: bigint | null;
  readonly pushToken: string;
  readonly generation: number;
  readonly reach: Reach;
  readonly latestDomestic: Vendor | null;
  readonly registeredAt: Date;
  /** Seen within the last 30 days, so that a message may wait for it on the own channel. */
  readonly nativeTarget: boolean;
  /** The gateway that holds its session now. */
  readonly gateway: string | null;
}

/** With `devices d` and the live session `s`. */
export const DEVICE_COLUMNS = `
  d.app_id as "appId", d.device_id as "deviceId", d.user_id as "userId", d.push_token as "pushToken", d.generation,
  d.reach, d.latest_domestic as "latestDomestic", d.registered_at as "registeredAt",
  d.seen_on > current_date - ${NATIVE_TARGET_DAYS} as "nativeTarget", s.gateway`;

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

/**
 * The device behind a guid, made if need be. When another user logs in on it, it changes hands: a new generation and
 * push token, and everything of the former owner is gone in the same commit.
 */
export function registerDevice(
  db: ShardDb,
  login: {
    appId: string;
    shard: number;
    deviceGuid: string;
    userId: bigint;
    newPushToken: string;
    /** By the home database's clock, which also says when tasks are due. */
    registeredAt: Date;
  },
): Promise<Registration> {
  const { appId, shard, deviceGuid, userId, newPushToken, registeredAt } = login;
  return inTransaction(db, async (tx) => {
    const returning = 'device_id as "deviceId", generation, push_token as "pushToken"';
    const [made] = await tx.query<Registration>(
      `insert into devices (app_id, shard, device_id, device_guid, user_id, push_token, registered_at)
       values ($1, $2::smallint, nextval('device_numbers') * 64 + $2::smallint, $3, $4, $5, $6)
       on conflict (app_id, device_guid) do nothing
       returning ${returning}`,
      [appId, shard, deviceGuid, userId, newPushToken, registeredAt],
    );
    if (made) return made;

    const [kept] = await tx.query<Registration>(
      `update devices set seen_on = current_date
        where app_id = $1 and device_guid = $2 and user_id = $3
        returning ${returning}`,
      [appId, deviceGuid, userId],
    );
    if (kept) return kept;

    const [taken] = await tx.query<Registration>(
      `update devices
          set user_id = $3, generation = generation + 1, push_token = $4, reach = 0, latest_domestic = null,
              seen_on = current_date, registered_at = $5
        where app_id = $1 and device_guid = $2
        returning ${returning}`,
      [appId, deviceGuid, userId, newPushToken, registeredAt],
    );
    const registration = taken as Registration;
    await forgetFormerOwner(tx, { appId, shard, deviceId: registration.deviceId });
    return registration;
  });
}

async function forgetFormerOwner(db: ShardDb, { appId, shard, deviceId }: DeviceKey): Promise<void> {
  await db.query(
    `update bindings set ended_at = now(), ended_why = 'changed hands'
      where app_id = $1 and shard = $2 and device_id = $3 and ended_at is null`,
    [appId, shard, deviceId],
  );
  await db.query('delete from badges where app_id = $1 and shard = $2 and device_id = $3', [appId, shard, deviceId]);
  await db.query('delete from inbox where shard = $1 and device_id = $2', [shard, deviceId]);
  await db.query('delete from sessions where shard = $1 and device_id = $2', [shard, deviceId]);
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

export interface Binding {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly token: string;
  readonly environment: Environment;
}

/** The live bindings of these devices at one vendor, with the generation they belong to. */
export async function findBindings(db: ShardDb, channel: Vendor, keys: readonly DeviceKey[]): Promise<Binding[]> {
  return db.query<Binding>(
    `select b.device_id as "deviceId", d.generation, b.token, b.environment
       from bindings b
       join devices d on d.app_id = b.app_id and d.shard = b.shard and d.device_id = b.device_id
      where (b.app_id, b.shard, b.device_id) in (select * from unnest($1::text[], $2::smallint[], $3::bigint[]))
        and b.channel = $4 and b.ended_at is null`,
    [...keyColumns(keys), channel],
  );
}

export const hashVendorToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Binds a vendor token to a device; an older token at that vendor ends. False: the device has changed hands. */
export function bindToken(
  db: ShardDb,
  key: DeviceKey & { generation: number },
  binding: { channel: Vendor; environment: Environment; token: string; domestic: boolean },
): Promise<boolean> {
  const { appId, shard, deviceId, generation } = key;
  const { channel, environment, token, domestic } = binding;
  const hash = hashVendorToken(token);
  return inTransaction(db, async (tx) => {
    const owned = await tx.query(
      `update devices
          set reach = (reach & ~$5::int) | $6::int,
              latest_domestic = case when $7 then $8 else latest_domestic end
        where app_id = $1 and shard = $2 and device_id = $3 and generation = $4
        returning device_id`,
      [appId, shard, deviceId, generation, vendorBits(channel), reachBit(channel, environment), domestic, channel],
    );
    if (owned.length === 0) return false;
    await tx.query(
      `update bindings set ended_at = now(), ended_why = 'replaced'
        where app_id = $1 and shard = $2 and device_id = $3 and channel = $4 and token_hash <> $5 and ended_at is null`,
      [appId, shard, deviceId, channel, hash],
    );
    await tx.query(
      `insert into bindings (app_id, shard, device_id, channel, token_hash, token, environment)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (app_id, shard, device_id, channel, token_hash) do update
          set environment = excluded.environment, bound_at = now(), ended_at = null, ended_why = null`,
      [appId, shard, deviceId, channel, hash, token, environment],
    );
    return true;
  });
}

export interface EndedBinding extends DeviceKey {
  readonly channel: Vendor;
  readonly tokenHash: Buffer;
  readonly why: string;
}

/**
 * Ends bindings that are still live: they went to another device, or the vendor called the token dead. Devices are locked
 * first and in key order, as wherever both are written. One binding per device in a call.
 */
export function endBindings(db: ShardDb, bindings: readonly EndedBinding[]): Promise<void> {
  const columns = [
    ...keyColumns(bindings),
    bindings.map(({ channel }) => channel),
    bindings.map(({ tokenHash }) => tokenHash),
    bindings.map(({ why }) => why),
    bindings.map(({ channel }) => vendorBits(channel)),
  ];
  return inTransaction(db, async (tx) => {
    await tx.query(
      `select from devices
        where (app_id, shard, device_id) in (select * from unnest($1::text[], $2::smallint[], $3::bigint[]))
        order by app_id, shard, device_id
          for update`,
      columns.slice(0, 3),
    );
    await tx.query(
      `with e as (
         select *
           from unnest($1::text[], $2::smallint[], $3::bigint[], $4::text[], $5::bytea[], $6::text[], $7::int[])
                as u (app_id, shard, device_id, channel, token_hash, why, bits)
       ), ended as (
         update bindings b set ended_at = now(), ended_why = e.why
           from e
          where (b.app_id, b.shard, b.device_id, b.channel) = (e.app_id, e.shard, e.device_id, e.channel)
            and b.token_hash = e.token_hash and b.ended_at is null
          returning e.*
       )
       update devices d
          set reach = d.reach & ~ended.bits, latest_domestic = nullif(d.latest_domestic, ended.channel)
         from ended
        where (d.app_id, d.shard, d.device_id) = (ended.app_id, ended.shard, ended.device_id)`,
      columns,
    );
  });
}

/** Keys as the columns of an unnest: app, shard, device. */
export function keyColumns(keys: readonly DeviceKey[]): unknown[] {
  return [keys.map(({ appId }) => appId), keys.map(({ shard }) => shard), keys.map(({ deviceId }) => deviceId)];
}
