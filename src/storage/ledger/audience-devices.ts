import type { ShardDb } from '../database/database.ts';
import { type DeviceGroup, ROUTING_COLUMNS } from '../devices/devices.ts';
import { LIVE_SESSION_JOIN } from '../devices/presence.ts';

/** All devices, or all with any of the tags, that were registered when the task was due. */
export interface DeviceAudience {
  readonly dueAt: Date;
  readonly tags: readonly string[] | null;
}

export const GROUP_COLUMNS = `${ROUTING_COLUMNS}, count(*)::int as "placeCount", string_agg(d.device_id::text, ',') as "deviceIds",
            string_agg(d.generation::text, ',') as generations`;

/** Divides a number of devices into ranges: enough for several workers, and none larger than a transaction allows. */
export function rangeCountFor(devices: number, devicesMax: number): number {
  const forWorkers = Math.min(RANGES_FOR_WORKERS, Math.ceil(devices / DEVICES_PER_RANGE_MIN));
  return Math.max(1, forWorkers, Math.ceil(devices / devicesMax));
}

/** A smaller range costs more statements than another worker saves. */
const DEVICES_PER_RANGE_MIN = 8_192;
/** Enough ranges that all workers of a small installation have one. */
const RANGES_FOR_WORKERS = 16;

/**
 * Estimates the number of devices of an app in this database, or those with any of the tags, from the statistics of the
 * planner.
 */
export async function estimateAudienceDevices(
  db: ShardDb,
  appId: string,
  tags: readonly string[] | null,
): Promise<number> {
  const [row] = await db.query<{ 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[] }>(
    `explain (format json) select from ${tags === null ? 'devices where app_id = $1' : 'tags where app_id = $1 and tag = any($2)'}`,
    [appId, ...(tags === null ? [] : [tags])],
  );
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

/**
 * Returns the devices of an app in this database, or those with any of the tags, grouped by routing properties. Only
 * for small audiences.
 */
export async function findAudienceGroups(
  db: ShardDb,
  appId: string,
  { dueAt, tags }: DeviceAudience,
): Promise<DeviceGroup[]> {
  return db.query<DeviceGroup>(
    `select ${GROUP_COLUMNS}
       from devices d ${LIVE_SESSION_JOIN}
      where d.app_id = $1 and d.registered_at <= $2 and d.user_id is not null
        ${tags === null ? '' : 'and (d.bucket, d.device_id) in (select bucket, device_id from tags where app_id = $1 and tag = any($3))'}
      group by 1, 2, 3, 4`,
    [appId, dueAt, ...(tags === null ? [] : [tags])],
  );
}

/**
 * Counts the devices of an app in this database, or those with any of the tags, up to `limit`. A device with several of
 * the tags counts once for each.
 */
export async function countAudienceDevices(
  db: ShardDb,
  appId: string,
  tags: readonly string[] | null,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count
       from (select from ${tags === null ? 'devices where app_id = $1 and user_id is not null' : 'tags where app_id = $1 and tag = any($3)'}
              limit $2) as counted`,
    [appId, limit, ...(tags === null ? [] : [tags])],
  );
  return (row as { count: number }).count;
}
