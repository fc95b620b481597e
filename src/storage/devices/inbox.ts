import type { ShardDb } from '../database/database.ts';

/** A notification that waits for a device on the Carillon channel, and the place that its receipt is for. */
export interface InboxRow {
  readonly appId: string;
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly taskId: bigint;
  readonly generation: number;
  readonly sliceBucket: number;
  readonly sliceNumber: number;
  readonly placeIndex: number;
  readonly placeCount: number;
  readonly expiresAt: Date;
}

/**
 * Maximum number of notifications per device. The newest ones are kept. A removed notification counts as failed when
 * its slice is processed.
 */
const MESSAGES_PER_DEVICE_MAX = 100;

/**
 * Inserts notifications into inboxes and leaves existing rows unchanged. Skips devices that were logged out: a slice is
 * processed again whenever another of its devices responds, and notifications from before the logout must not be
 * inserted again. Returns the inserted rows.
 */
export async function insertInboxRows(
  db: ShardDb,
  rows: readonly InboxRow[],
): Promise<{ deviceId: bigint; taskId: bigint }[]> {
  const inserted = await db.query<{ deviceId: bigint; taskId: bigint }>(
    `insert into inbox (app_id, bucket, device_id, task_id, generation, slice_bucket, slice, place, n, expires_at)
     select m.*
       from unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[], $5::int[], $6::smallint[], $7::int[],
                   $8::smallint[], $9::smallint[], $10::timestamptz[])
            as m (app_id, bucket, device_id, task_id, generation, slice_bucket, slice, place, n, expires_at)
       join devices d on d.app_id = m.app_id and d.bucket = m.bucket and d.device_id = m.device_id
        and d.generation = m.generation
      order by 2, 3, 4
     on conflict do nothing
     returning device_id as "deviceId", task_id as "taskId"`,
    [
      rows.map(({ appId }) => appId),
      rows.map(({ bucket }) => bucket),
      rows.map(({ deviceId }) => deviceId),
      rows.map(({ taskId }) => taskId),
      rows.map(({ generation }) => generation),
      rows.map(({ sliceBucket }) => sliceBucket),
      rows.map(({ sliceNumber }) => sliceNumber),
      rows.map(({ placeIndex }) => placeIndex),
      rows.map(({ placeCount }) => placeCount),
      rows.map(({ expiresAt }) => expiresAt),
    ],
  );
  await db.query(
    `with d as materialized (
       select bucket, device_id,
              (select o.task_id from inbox o
                where o.bucket = u.bucket and o.device_id = u.device_id
                order by o.task_id desc offset ${MESSAGES_PER_DEVICE_MAX} limit 1) as newest_too_many
         from (select distinct * from unnest($1::smallint[], $2::bigint[])) as u (bucket, device_id)
     ), gone as (
       select i.bucket, i.device_id, i.task_id
         from inbox i
         join d on i.bucket = d.bucket and i.device_id = d.device_id and i.task_id <= d.newest_too_many
        order by 1, 2, 3
          for update of i
     )
     delete from inbox i using gone g
      where (i.bucket, i.device_id, i.task_id) = (g.bucket, g.device_id, g.task_id)`,
    [rows.map(({ bucket }) => bucket), rows.map(({ deviceId }) => deviceId)],
  );
  return inserted;
}

/** Deletes up to `limit` notifications that expired more than a minute ago, regardless of the state of their slice. */
export async function deleteExpiredInboxRows(db: ShardDb, limit: number): Promise<void> {
  await db.query(
    `delete from inbox
      where (bucket, device_id, task_id) in (
              select bucket, device_id, task_id
                from inbox
               where expires_at < now() - interval '1 min'
               order by bucket, device_id, task_id
               limit $1
                 for update skip locked)`,
    [limit],
  );
}

/** Returns the notifications in each device's inbox, the oldest first, for its current owner only. */
export async function readInbox(
  db: ShardDb,
  devices: readonly { bucket: number; deviceId: bigint; generation: number }[],
): Promise<InboxRow[]> {
  return db.query<InboxRow>(
    `select i.app_id as "appId", i.bucket, i.device_id as "deviceId", i.task_id as "taskId", i.generation,
            i.slice_bucket as "sliceBucket", i.slice as "sliceNumber", i.place as "placeIndex", i.n as "placeCount",
            i.expires_at as "expiresAt"
       from unnest($1::smallint[], $2::bigint[], $3::int[]) as d (bucket, device_id, generation)
      cross join lateral (
              select *
                from inbox
               where bucket = d.bucket and device_id = d.device_id and generation = d.generation and expires_at > now()
               order by task_id
               limit ${MESSAGES_PER_DEVICE_MAX}) i
      order by i.device_id, i.task_id`,
    [
      devices.map(({ bucket }) => bucket),
      devices.map(({ deviceId }) => deviceId),
      devices.map(({ generation }) => generation),
    ],
  );
}

interface InboxKey {
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly taskId: bigint;
}

/** Returns the given notifications that are still in their inbox. */
export async function findInboxKeys(
  db: ShardDb,
  keys: readonly InboxKey[],
): Promise<{ deviceId: bigint; taskId: bigint }[]> {
  return db.query(
    `select device_id as "deviceId", task_id as "taskId"
       from inbox
      where (bucket, device_id, task_id) in (select * from unnest($1::smallint[], $2::bigint[], $3::bigint[]))`,
    keyColumns(keys),
  );
}

export async function deleteInboxRows(db: ShardDb, keys: readonly InboxKey[]): Promise<void> {
  await db.query(
    `with gone as (
       select i.bucket, i.device_id, i.task_id
         from inbox i
         join unnest($1::smallint[], $2::bigint[], $3::bigint[]) as d (bucket, device_id, task_id)
              using (bucket, device_id, task_id)
        order by 1, 2, 3
          for update of i
     )
     delete from inbox i using gone g
      where (i.bucket, i.device_id, i.task_id) = (g.bucket, g.device_id, g.task_id)`,
    keyColumns(keys),
  );
}

function keyColumns(keys: readonly InboxKey[]): unknown[] {
  return [keys.map(({ bucket }) => bucket), keys.map(({ deviceId }) => deviceId), keys.map(({ taskId }) => taskId)];
}
