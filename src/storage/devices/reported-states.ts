import type { ReportedState } from '#src/domain/trace/reported-state.ts';
import type { ShardDb } from '../database/database.ts';
import type { DeviceKey } from './devices.ts';

/** Age in days from which an unchanged state is stored again, so that its time is not older. */
const UNCHANGED_KEPT_DAYS = 1;

/** Selects the reported state of the device row `d` as JSON. */
export const REPORTED_STATE = `
  (select json_build_object('client', r.client, 'notifications', r.notifications, 'vendorErrors', r.vendor_errors,
                            'reportedMs', floor(extract(epoch from r.reported_at) * 1000))
     from reported_states r
    where r.bucket = d.bucket and r.device_id = d.device_id and r.generation = d.generation)`;

/**
 * Replaces the reported state of a device. Writes at most one row, and none if an equal state was stored within a day.
 * The row of the device is locked, so that a concurrent logout deletes the state. Returns false if the device was logged
 * out.
 */
export async function saveReportedState(
  db: ShardDb,
  { appId, bucket, deviceId, generation }: DeviceKey & { generation: number },
  { client, notifications, vendorErrors }: Omit<ReportedState, 'reportedMs'>,
): Promise<boolean> {
  const rows = await db.query(
    `with changed as (
       select d.bucket, d.device_id, d.generation
         from devices d
        where d.app_id = $1 and d.bucket = $2 and d.device_id = $3 and d.generation = $4
          and not exists (
                select from reported_states r
                 where r.bucket = $2 and r.device_id = $3 and r.generation = $4
                   and (r.client, r.notifications, r.vendor_errors) is not distinct from ($5::text, $6::text, $7::jsonb)
                   and r.reported_at > now() - interval '${UNCHANGED_KEPT_DAYS} days')
          for share
     ), stored as (
       insert into reported_states (bucket, device_id, generation, client, notifications, vendor_errors)
       select bucket, device_id, generation, $5, $6, $7 from changed
       on conflict (bucket, device_id) do update
          set generation = excluded.generation, client = excluded.client, notifications = excluded.notifications,
              vendor_errors = excluded.vendor_errors, reported_at = excluded.reported_at
     )
     select from devices where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4`,
    [appId, bucket, deviceId, generation, client, notifications, JSON.stringify(vendorErrors)],
  );
  return rows.length > 0;
}
