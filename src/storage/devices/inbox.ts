import type { ShardDb } from '../database/database.ts';

/** A notification that waits for a device on the Carillon channel, and the place that its receipt is for. */
export interface InboxRow {
  readonly appId: string;
  readonly shard: number;
  readonly deviceId: bigint;
  readonly taskId: bigint;
  readonly generation: number;
  readonly sliceShard: number;
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
 * Inserts notifications into inboxes and leaves existing rows unchanged. Skips devices that have changed owner: a slice
 * is processed again whenever another of its devices responds, and the former owner's notifications must not be
 * inserted again. Returns the inserted rows.
 */
export async function insertInboxRows(
  db: ShardDb,
  rows: readonly InboxRow[],
): Promise<{ deviceId: bigint; taskId: bigint }[]> {
  const inserted = await db.query<{ deviceId: bigint; taskId: bigint }>(
    `insert into inbox (app_id, shard, device_id, task_id, generation, slice_shard, slice, place, n, expires_at)
     select m.*
       from unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[], $5::int[], $6::smallint[], $7::int[],
                   $8::smallint[], $9::smallint[], $10::timestamptz[])
            as m (app_id, shard, device_id, task_id, generation, slice_shard, slice, place, n, expires_at)
       join devices d on d.app_id = m.app_id and d.shard = m.shard and d.device_id = m.device_id
        and d.generation = m.generation
      order by 2, 3, 4
     on conflict do nothing
     returning device_id as "deviceId", task_id as "taskId"`,
    [
      rows.map(({ appId }) => appId),
      rows.map(({ shard }) => shard),
      rows.map(({ deviceId }) => deviceId),
      rows.map(({ taskId }) => taskId),
      rows.map(({ generation }) => generation),
      rows.map(({ sliceShard }) => sliceShard),
      rows.map(({ sliceNumber }) => sliceNumber),
      rows.map(({ placeIndex }) => placeIndex),
      rows.map(({ placeCount }) => placeCount),
      rows.map(({ expiresAt }) => expiresAt),
    ],
  );
  await db.query(
    `with d as materialized (
       select shard, device_id,
              (select o.task_id from inbox o
                where o.shard = u.shard and o.device_id = u.device_id
                order by o.task_id desc offset ${MESSAGES_PER_DEVICE_MAX} limit 1) as newest_too_many
         from (select distinct * from unnest($1::smallint[], $2::bigint[])) as u (shard, device_id)
     )
     delete from inbox i
      using d
      where d.newest_too_many is not null
        and i.shard = d.shard and i.device_id = d.device_id and i.task_id <= d.newest_too_many`,
    [rows.map(({ shard }) => shard), rows.map(({ deviceId }) => deviceId)],
  );
  return inserted;
}

/** Deletes up to `limit` notifications that expired more than a minute ago, regardless of the state of their slice. */
export async function deleteExpiredInboxRows(db: ShardDb, limit: number): Promise<void> {
  await db.query(
    `delete from inbox
      where (shard, device_id, task_id) in (
              select shard, device_id, task_id
                from inbox
               where expires_at < now() - interval '1 min'
               order by shard, device_id, task_id
               limit $1
                 for update skip locked)`,
    [limit],
  );
}

/** Returns the notifications in each device's inbox, the oldest first, for its current owner only. */
export async function readInbox(
  db: ShardDb,
  devices: readonly { shard: number; deviceId: bigint; generation: number }[],
): Promise<InboxRow[]> {
  return db.query<InboxRow>(
    `select i.app_id as "appId", i.shard, i.device_id as "deviceId", i.task_id as "taskId", i.generation,
            i.slice_shard as "sliceShard", i.slice as "sliceNumber", i.place as "placeIndex", i.n as "placeCount",
            i.expires_at as "expiresAt"
       from unnest($1::smallint[], $2::bigint[], $3::int[]) as d (shard, device_id, generation)
      cross join lateral (
              select *
                from inbox
               where shard = d.shard and device_id = d.device_id and generation = d.generation and expires_at > now()
               order by task_id
               limit ${MESSAGES_PER_DEVICE_MAX}) i
      order by i.device_id, i.task_id`,
    [
      devices.map(({ shard }) => shard),
      devices.map(({ deviceId }) => deviceId),
      devices.map(({ generation }) => generation),
    ],
  );
}

interface InboxKey {
  readonly shard: number;
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
      where (shard, device_id, task_id) in (select * from unnest($1::smallint[], $2::bigint[], $3::bigint[]))`,
    keyColumns(keys),
  );
}

export async function deleteInboxRows(db: ShardDb, keys: readonly InboxKey[]): Promise<void> {
  await db.query(
    `with gone as (
       select i.shard, i.device_id, i.task_id
         from inbox i
         join unnest($1::smallint[], $2::bigint[], $3::bigint[]) as d (shard, device_id, task_id)
              using (shard, device_id, task_id)
        order by 1, 2, 3
          for update of i
     )
     delete from inbox i using gone g
      where (i.shard, i.device_id, i.task_id) = (g.shard, g.device_id, g.task_id)`,
    keyColumns(keys),
  );
}

function keyColumns(keys: readonly InboxKey[]): unknown[] {
  return [keys.map(({ shard }) => shard), keys.map(({ deviceId }) => deviceId), keys.map(({ taskId }) => taskId)];
}
