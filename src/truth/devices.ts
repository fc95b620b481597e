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

const DEVICE_COLUMNS = `
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
  login: { appId: string; shard: number; deviceGuid: string; userId: bigint; newPushToken: string },
): Promise<Registration> {
  const { appId, shard, deviceGuid, userId, newPushToken } = login;
  return inTransaction(db, async (tx) => {
    const returning = 'device_id as "deviceId", generation, push_token as "pushToken"';
    const [made] = await tx.query<Registration>(
      `insert into devices (app_id, shard, device_id, device_guid, user_id, push_token)
       values ($1, $2::smallint, nextval('device_numbers') * 64 + $2::smallint, $3, $4, $5)
       on conflict (app_id, device_guid) do nothing
       returning ${returning}`,
      [appId, shard, deviceGuid, userId, newPushToken],
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
              seen_on = current_date, registered_at = now()
        where app_id = $1 and device_guid = $2
        returning ${returning}`,
      [appId, deviceGuid, userId, newPushToken],
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

/** Ends a binding if it is still the live one: it went to another device, or the vendor called the token dead. */
export function endBinding(
  db: ShardDb,
  key: DeviceKey,
  binding: { channel: Vendor; tokenHash: Buffer; why: string },
): Promise<void> {
  const { appId, shard, deviceId } = key;
  return inTransaction(db, async (tx) => {
    const ended = await tx.query(
      `update bindings set ended_at = now(), ended_why = $6
        where app_id = $1 and shard = $2 and device_id = $3 and channel = $4 and token_hash = $5 and ended_at is null
        returning device_id`,
      [appId, shard, deviceId, binding.channel, binding.tokenHash, binding.why],
    );
    if (ended.length === 0) return;
    await tx.query(
      `update devices set reach = reach & ~$4::int, latest_domestic = nullif(latest_domestic, $5)
        where app_id = $1 and shard = $2 and device_id = $3`,
      [appId, shard, deviceId, vendorBits(binding.channel), binding.channel],
    );
  });
}

function keyColumns(keys: readonly DeviceKey[]): unknown[] {
  return [keys.map(({ appId }) => appId), keys.map(({ shard }) => shard), keys.map(({ deviceId }) => deviceId)];
}
