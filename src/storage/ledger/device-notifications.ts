import { BUCKETS } from '#src/domain/bucket.ts';
import { rangeOfTaskIds, type TaskRange } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { type DevicePlace, PLACE_COLUMNS } from './trace.ts';

/**
 * The queries for the notifications of some devices. No index has the devices of a slice, because every push would pay
 * for it. A search therefore reads the slices of a bounded number of expansions, the latest first.
 */

/** Maximum number of expansions whose slices a search reads in one database. A list of users has one expansion. */
const EXPANSIONS_PER_SEARCH = 20_000;

export interface FoundSlice {
  readonly taskId: bigint;
  readonly bucket: number;
  readonly sliceNumber: number;
}

export interface SliceSearch {
  readonly slices: readonly FoundSlice[];
  /** All slices of this and later tasks were found. 0 if no task is left. */
  readonly completeFrom: bigint;
}

export interface SearchedDevice {
  readonly bucket: number;
  readonly deviceId: bigint;
}

/**
 * Searches one database for slices of tasks before `before` that have one of the devices. `local` has the devices of
 * this database: tasks that are expanded by ranges have their slices in the database of the device, and all other tasks
 * in that of the task.
 */
export async function searchSlices(
  db: ShardDb,
  {
    appId,
    before,
    devices,
    local,
    limit,
  }: {
    readonly appId: string;
    readonly before: bigint | null;
    readonly devices: readonly SearchedDevice[];
    readonly local: readonly SearchedDevice[];
    readonly limit: number;
  },
): Promise<SliceSearch> {
  const end = before ?? INT64_MAX;
  if (end <= 0n) return { slices: [], completeFrom: 0n };
  const oldest = await findOldestTask(db, end);
  const range: TaskRange = [oldest, end - 1n];
  const searches = [
    await findListedSlices(db, range, devices, limit),
    ...(local.length > 0 ? [await findRangeSlices(db, appId, range, local, limit)] : []),
  ];
  const ends = searches.map((slices) => (slices.length < limit ? oldest : (slices.at(-1) as FoundSlice).taskId));
  return { slices: searches.flat(), completeFrom: ends.reduce((a, b) => (a > b ? a : b), oldest) };
}

/** Returns the task with which a search ends, or 0 if it reaches the first task. Expansions have no partitions. */
async function findOldestTask(db: ShardDb, end: bigint): Promise<bigint> {
  const [row] = await db.query<{ taskId: bigint }>(
    `select task_id as "taskId"
       from expansions
      where task_id < $1
      order by task_id desc
     offset ${EXPANSIONS_PER_SEARCH}
      limit 1`,
    [end],
  );
  return row?.taskId ?? 0n;
}

const FOUND = `t.task_id as "taskId", t.bucket, t.slice as "sliceNumber"`;

/**
 * Returns slices in the bucket of their task. The array is read only if the bucket matches, because the slices of a
 * range are many and have large arrays.
 */
function findListedSlices(
  db: ShardDb,
  range: TaskRange,
  devices: readonly SearchedDevice[],
  limit: number,
): Promise<FoundSlice[]> {
  return db.query<FoundSlice>(
    `select ${FOUND}
       from slice_targets t
      where t.task_id between $1 and $2
        and case when t.bucket = t.task_id & ${BUCKETS - 1} then t.device_ids && $3::bigint[] else false end
      order by t.task_id desc
      fetch first $4 rows with ties`,
    [...range, devices.map(({ deviceId }) => deviceId), limit],
  );
}

/**
 * Returns slices of the ranges that contain a device. Only the slices of these ranges are read, one range after the
 * other until there are enough. `offset 0` prevents a join that would read the slices of all ranges.
 */
function findRangeSlices(
  db: ShardDb,
  appId: string,
  range: TaskRange,
  devices: readonly SearchedDevice[],
  limit: number,
): Promise<FoundSlice[]> {
  return db.query<FoundSlice>(
    `select e.task_id as "taskId", e.bucket, t.slice as "sliceNumber"
       from (select distinct e.task_id, e.bucket
               from expansions e
               join unnest($3::smallint[], $4::bigint[]) as d (bucket, device_id)
                 on (e.bucket, e.after_id) < (d.bucket, d.device_id)
                and (e.last_bucket, e.last_id) >= (d.bucket, d.device_id)
              where e.task_id between $1 and $2 and e.app_id = $6
              order by e.task_id desc) as e
      cross join lateral (
              select t.slice
                from slice_targets t
               where t.task_id = e.task_id and t.bucket = e.bucket and t.task_id between $1 and $2
                 and t.device_ids && $4::bigint[]
              offset 0) as t
      order by e.task_id desc
      fetch first $5 rows with ties`,
    [...range, devices.map(({ bucket }) => bucket), devices.map(({ deviceId }) => deviceId), limit, appId],
  );
}

/** A place of one of several devices, in one of several tasks. */
export interface FoundPlace extends DevicePlace {
  readonly taskId: bigint;
  readonly deviceId: bigint;
  readonly clicked: boolean;
}

/** Returns the places of devices in slices, in the order in which their channels were tried. */
export async function findPlacesInSlices(
  db: ShardDb,
  appId: string,
  slices: readonly FoundSlice[],
  deviceIds: readonly bigint[],
): Promise<FoundPlace[]> {
  const taskIds = slices.map(({ taskId }) => taskId);
  return db.query<FoundPlace>(
    `with found as materialized (
       select t.task_id, t.bucket, t.slice, d.device_id, array_position(t.device_ids, d.device_id) - 1 as place, t.generations
         from (select distinct * from unnest($1::bigint[], $2::smallint[], $3::int[])) as k (task_id, bucket, slice)
         join slice_targets t on t.task_id = k.task_id and t.bucket = k.bucket and t.slice = k.slice
         join unnest($4::bigint[]) as d (device_id) on d.device_id = any(t.device_ids)
        where t.task_id between $5 and $6
     )
     select f.task_id as "taskId", f.device_id as "deviceId", coalesce(get_bit(s.clicked, f.place) = 1, false) as clicked,
            ${PLACE_COLUMNS}
       from found f
       join slices s on s.task_id = f.task_id and s.bucket = f.bucket and s.slice = f.slice
      where s.app_id = $7 and s.task_id between $5 and $6
      order by cardinality(s.tried), s.slice`,
    [
      taskIds,
      slices.map(({ bucket }) => bucket),
      slices.map(({ sliceNumber }) => sliceNumber),
      deviceIds,
      ...rangeOfTaskIds(taskIds),
      appId,
    ],
  );
}

/** A notification in the inbox of a device. */
export interface InboxRow {
  readonly taskId: bigint;
  readonly deviceId: bigint;
  readonly expiresAt: Date;
}

/** Returns the notifications of tasks that wait in the inboxes of devices. */
export async function findInboxRows(
  db: ShardDb,
  devices: readonly SearchedDevice[],
  taskIds: readonly bigint[],
): Promise<InboxRow[]> {
  return db.query<InboxRow>(
    `select i.task_id as "taskId", i.device_id as "deviceId", i.expires_at as "expiresAt"
       from unnest($1::smallint[], $2::bigint[]) as d (bucket, device_id)
       join inbox i on i.bucket = d.bucket and i.device_id = d.device_id
      where i.task_id = any($3)`,
    [devices.map(({ bucket }) => bucket), devices.map(({ deviceId }) => deviceId), taskIds],
  );
}

/** The time at which a task was accepted, and whether it was cancelled. */
export interface TaskDates {
  readonly taskId: bigint;
  readonly acceptedAt: Date;
  readonly cancelled: boolean;
}

export async function findTaskDates(db: HomeDb, appId: string, taskIds: readonly bigint[]): Promise<TaskDates[]> {
  return db.query<TaskDates>(
    `select task_id as "taskId", accepted_at as "acceptedAt", cancelled_at is not null as cancelled
       from tasks
      where task_id = any($1) and task_id between $2 and $3 and app_id = $4`,
    [taskIds, ...rangeOfTaskIds(taskIds), appId],
  );
}
