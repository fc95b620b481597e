import { BUCKETS } from '#src/domain/bucket.ts';
import { inTransaction, type ShardDb } from '../database/database.ts';
import { deleteBadge } from './badges.ts';
import type { DeviceKey } from './devices.ts';

/** The ownership of a device: a login registers it, a logout releases it, and an admin can erase it. */

export interface Registration {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly pushToken: string;
  /** Whether this login has created the device. */
  readonly isNew: boolean;
}

interface NewDeviceLogin {
  readonly appId: string;
  readonly bucket: number;
  readonly deviceGuid: string;
  readonly userId: bigint;
  readonly newPushToken: string;
  /** The registration time by the home database's clock, which also determines when tasks are due. */
  readonly registeredAt: Date;
}

/**
 * Returns the device with this guid on which this user has logged in, and creates it if there is none. Devices of other
 * users with the same guid are not changed, because a guid is not a secret. If the user had logged out, the device gets
 * a new generation and push token.
 */
export async function registerDevice(db: ShardDb, login: NewDeviceLogin): Promise<Registration> {
  const { appId, bucket, deviceGuid, userId, newPushToken, registeredAt } = login;
  const ifLoggedOut = (column: string, value: string) =>
    `${column} = case when d.user_id is null then ${value} else d.${column} end`;
  const [registration] = await db.query<Registration>(
    `insert into devices as d (app_id, bucket, device_id, device_guid, user_id, push_token, registered_at)
     values ($1, $2::smallint, nextval('device_numbers') * ${BUCKETS} + $2::smallint, $3, $4, $5, $6)
     on conflict (app_id, device_guid, (coalesce(user_id, former_user_id))) do update
        set user_id = $4, former_user_id = null, seen_on = current_date,
            ${ifLoggedOut('generation', 'd.generation + 1')},
            ${ifLoggedOut('push_token', '$5')}, ${ifLoggedOut('registered_at', '$6')}
     returning device_id as "deviceId", generation, push_token as "pushToken", xmax = 0 as "isNew"`,
    [appId, bucket, deviceGuid, userId, newPushToken, registeredAt],
  );
  return registration as Registration;
}

type GuidOfUser = Pick<NewDeviceLogin, 'appId' | 'bucket' | 'deviceGuid'> & { readonly userId: bigint | null };

/** Returns whether a user has logged in on a device before. */
export async function isDeviceOfUser(db: ShardDb, { appId, bucket, deviceGuid, userId }: GuidOfUser): Promise<boolean> {
  const rows = await db.query(
    `select from devices
      where app_id = $1 and bucket = $2 and device_guid = $3 and coalesce(user_id, former_user_id) = $4`,
    [appId, bucket, deviceGuid, userId],
  );
  return rows.length > 0;
}

/**
 * Removes the owner of a device. The device gets a new generation and push token, and the same commit deletes the
 * owner's data. Returns false if the device no longer has this generation.
 */
export function releaseDevice(
  db: ShardDb,
  device: DeviceKey & { generation: number; newPushToken: string; endReason: string },
): Promise<boolean> {
  const { appId, bucket, deviceId, generation, newPushToken, endReason } = device;
  return inTransaction(db, async (tx) => {
    const released = await tx.query(
      `update devices
          set user_id = null, former_user_id = coalesce(user_id, former_user_id), generation = generation + 1,
              push_token = $5, seen_on = current_date, ${CLEARED_OWNER_COLUMNS}
        where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4
        returning device_id`,
      [appId, bucket, deviceId, generation, newPushToken],
    );
    if (released.length === 0) return false;
    await deleteOwnerData(tx, { appId, bucket, deviceId }, endReason);
    return true;
  });
}

/** Clears the owner's data in the device's row. */
const CLEARED_OWNER_COLUMNS = 'reach = 0, latest_domestic = null, alias = null';

/**
 * Deletes the owner's data in other tables. Ended bindings are kept for a while, because a vendor may still report on
 * them.
 */
async function deleteOwnerData(db: ShardDb, { appId, bucket, deviceId }: DeviceKey, endReason: string): Promise<void> {
  await db.query(
    `update bindings set ended_at = now(), ended_why = $4
      where app_id = $1 and bucket = $2 and device_id = $3 and ended_at is null`,
    [appId, bucket, deviceId, endReason],
  );
  await deleteBadge(db, { appId, bucket, deviceId });
  // All changes of tags and reported states lock the row of the device first, and a device has one session.
  for (const table of ['tags', 'reported_states', 'sessions'])
    await db.query(`delete from ${table} where bucket = $1 and device_id = $2`, [bucket, deviceId]);
  await db.query(
    `with gone as (select task_id from inbox where bucket = $1 and device_id = $2 order by task_id for update)
     delete from inbox i using gone g where i.bucket = $1 and i.device_id = $2 and i.task_id = g.task_id`,
    [bucket, deviceId],
  );
}

/** Deletes a device and all its data, if it still has this generation. Places of the ledger keep only its ID. */
export function eraseDevice(db: ShardDb, device: DeviceKey & { generation: number }): Promise<void> {
  const { appId, bucket, deviceId, generation } = device;
  return inTransaction(db, async (tx) => {
    const erased = await tx.query(
      'delete from devices where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4 returning device_id',
      [appId, bucket, deviceId, generation],
    );
    if (erased.length === 0) return;
    await deleteOwnerData(tx, device, 'erased');
    await tx.query('delete from bindings where app_id = $1 and bucket = $2 and device_id = $3', [
      appId,
      bucket,
      deviceId,
    ]);
  });
}

export interface OwnedDevice {
  readonly deviceId: bigint;
  readonly generation: number;
  /** A date, as a string. */
  readonly seenOn: string;
  readonly registeredAt: Date;
}

/** Returns a user's devices in this database, to count or release them. */
export async function findOwnedDevices(db: ShardDb, appId: string, userId: bigint): Promise<OwnedDevice[]> {
  return db.query<OwnedDevice>(
    `select device_id as "deviceId", generation, seen_on::text as "seenOn", registered_at as "registeredAt"
       from devices
      where app_id = $1 and user_id = $2`,
    [appId, userId],
  );
}

/** Returns the devices in this database on which a user is logged in, or was. */
export async function findDevicesToErase(db: ShardDb, appId: string, userId: bigint): Promise<DeviceToErase[]> {
  return db.query<DeviceToErase>(
    `select device_id as "deviceId", generation, device_guid as "deviceGuid", push_token as "pushToken", alias
       from devices
      where app_id = $1 and (user_id = $2 or former_user_id = $2)`,
    [appId, userId],
  );
}

/** A device with the names that other rows can contain. */
export interface DeviceToErase {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly deviceGuid: string;
  readonly pushToken: string;
  readonly alias: string | null;
}

/**
 * Number of days for which devices without an owner and ended bindings are kept, because a vendor may still report on
 * them.
 */
const OWNERLESS_KEPT_DAYS = 30;

/** Deletes up to `limit` devices on which no user has been logged in for 30 days. Returns their IDs. */
export async function deleteOwnerlessDevices(db: ShardDb, limit: number): Promise<bigint[]> {
  const deleted = await db.query<{ deviceId: bigint }>(
    `delete from devices
      where (app_id, bucket, device_id) in (
              select app_id, bucket, device_id
                from devices
               where user_id is null and seen_on < current_date - ${OWNERLESS_KEPT_DAYS}
               limit $1
                 for update skip locked)
      returning device_id as "deviceId"`,
    [limit],
  );
  return deleted.map(({ deviceId }) => deviceId);
}

/** Deletes up to `limit` bindings that ended more than 30 days ago. Returns the number of deleted rows. */
export async function deleteEndedBindings(db: ShardDb, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from bindings
      where (app_id, bucket, device_id, channel, token_hash) in (
              select app_id, bucket, device_id, channel, token_hash
                from bindings
               where ended_at < now() - interval '${OWNERLESS_KEPT_DAYS} days'
               limit $1
                 for update skip locked)
      returning 1`,
    [limit],
  );
  return deleted.length;
}
