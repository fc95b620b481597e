import type { SliceChannel, SliceState } from '#src/domain/slice.ts';
import type { ReportedState } from '#src/domain/trace/reported-state.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { DEVICE_COLUMNS, type Device } from '../devices/devices.ts';
import { LIVE_SESSION_JOIN } from '../devices/presence.ts';
import { REPORTED_STATE } from '../devices/reported-states.ts';

/** The queries for the trace of one device in one task. */

/** The progress of a task, and the database's time. */
export interface TaskProgress {
  readonly state: 'accepted' | 'planned' | 'finished';
  readonly cancelled: boolean;
  readonly byRange: boolean;
  readonly now: Date;
}

export async function findTaskProgress(db: HomeDb, taskId: bigint): Promise<TaskProgress | undefined> {
  const [row] = await db.query<TaskProgress>(
    `select state, cancelled_at is not null as cancelled, coalesce(by_range, false) as "byRange", now()
       from tasks where task_id = $1`,
    [taskId],
  );
  return row;
}

/** A device with the fields that the trace compares with a task. */
export interface TracedDevice extends Device {
  readonly bucket: number;
  readonly deviceGuid: string;
  readonly tags: readonly string[];
  /** The day of the last login or connection, or of the logout, as a string. */
  readonly seenOn: string;
  readonly reportedState: ReportedState | null;
}

const TRACED_DEVICE = `
  select ${DEVICE_COLUMNS}, d.bucket, d.device_guid as "deviceGuid",
         array(select t.tag from tags t where t.bucket = d.bucket and t.device_id = d.device_id) as tags,
         d.seen_on::text as "seenOn", ${REPORTED_STATE} as "reportedState"
    from devices d ${LIVE_SESSION_JOIN}`;

export async function findTracedDevice(
  db: ShardDb,
  { appId, bucket, pushToken }: { readonly appId: string; readonly bucket: number; readonly pushToken: string },
): Promise<TracedDevice | undefined> {
  const [device] = await db.query<TracedDevice>(
    `${TRACED_DEVICE} where d.app_id = $1 and d.bucket = $2 and d.push_token = $3 and d.user_id is not null`,
    [appId, bucket, pushToken],
  );
  return device;
}

/**
 * Maximum number of devices. A user has at most 20 devices, and devices that the user was logged out of are kept for 30
 * days.
 */
const DEVICES_MAX = 50;

/**
 * Returns a user's devices in this database. With `withFormer`, includes devices that the user was logged out of and on
 * which no user has logged in since.
 */
export async function findTracedDevicesOfUser(
  db: ShardDb,
  appId: string,
  userId: bigint,
  withFormer: boolean,
): Promise<TracedDevice[]> {
  return db.query<TracedDevice>(
    `${TRACED_DEVICE}
      where d.app_id = $1 and (d.user_id = $2 or ($3 and d.former_user_id = $2))
      order by d.user_id is null, d.seen_on desc, d.device_id
      limit ${DEVICES_MAX}`,
    [appId, userId, withFormer],
  );
}

/** A device's place in one slice. */
export interface DevicePlace {
  readonly sliceNumber: number;
  readonly channel: SliceChannel;
  readonly state: SliceState;
  readonly nextAt: Date;
  readonly tried: readonly SliceChannel[];
  readonly index: number;
  readonly generation: number;
  readonly status: number;
  readonly sent: boolean;
  readonly received: boolean;
  readonly history: readonly string[];
  readonly historyDropped: number;
}

/** The columns of a place in the slice `s`, whose targets `f` has. */
export const PLACE_COLUMNS = `
  s.slice as "sliceNumber", s.channel, s.state, s.next_at as "nextAt", s.tried, f.place as index,
  f.generations[f.place + 1] as generation, get_byte(s.status, f.place) as status, get_bit(s.sent, f.place) = 1 as sent,
  get_bit(s.received, f.place) = 1 as received, s.history, s.history_dropped as "historyDropped"`;

/**
 * Returns the places that a device has in the slices of a task in one bucket. Scans all of these slices, which are a few
 * hundred for a range of a large audience. The query is run manually and rarely, so an index that slows every expansion
 * is not worth its cost.
 */
export async function findDevicePlaces(
  db: ShardDb,
  target: { readonly appId: string; readonly taskId: bigint; readonly bucket: number; readonly deviceId: bigint },
): Promise<DevicePlace[]> {
  return db.query<DevicePlace>(
    `with found as materialized (
       select t.slice, array_position(t.device_ids, $3::bigint) - 1 as place, t.generations
         from slice_targets t
        where t.task_id = $1 and t.bucket = $2 and $3 = any(t.device_ids)
     )
     select ${PLACE_COLUMNS}
       from found f
       join slices s on s.task_id = $1 and s.bucket = $2 and s.slice = f.slice
      where s.app_id = $4
      order by cardinality(s.tried), s.slice`,
    [target.taskId, target.bucket, target.deviceId, target.appId],
  );
}

/** The expansion that contains a device, if the task has one in this database. */
export interface DeviceExpansion {
  /** The bucket of the slices. */
  readonly bucket: number;
  readonly done: boolean;
}

/** Returns the expansion of a task that is expanded by ranges, for one device. */
export async function findRangeOfDevice(
  db: ShardDb,
  taskId: bigint,
  { bucket, deviceId }: { readonly bucket: number; readonly deviceId: bigint },
): Promise<DeviceExpansion | undefined> {
  const [row] = await db.query<DeviceExpansion>(
    `select bucket, state = 'done' as done
       from expansions
      where task_id = $1 and (bucket, after_id) < ($2, $3) and (last_bucket, last_id) >= ($2, $3)`,
    [taskId, bucket, deviceId],
  );
  return row;
}

/** Returns whether all expansions of a task in its bucket are done. */
export async function isExpanded(db: ShardDb, taskId: bigint, bucket: number): Promise<boolean> {
  const [row] = await db.query<{ done: boolean }>(
    `select coalesce(bool_and(state = 'done'), false) as done from expansions where task_id = $1 and bucket = $2`,
    [taskId, bucket],
  );
  return row?.done === true;
}

/**
 * Returns the time at which a task's notification expires in a device's inbox, or null if the inbox does not contain
 * it.
 */
export async function findInboxExpiry(
  db: ShardDb,
  bucket: number,
  deviceId: bigint,
  taskId: bigint,
): Promise<Date | null> {
  const [row] = await db.query<{ expiresAt: Date }>(
    'select expires_at as "expiresAt" from inbox where bucket = $1 and device_id = $2 and task_id = $3',
    [bucket, deviceId, taskId],
  );
  return row?.expiresAt ?? null;
}
