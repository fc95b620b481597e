import type { Environment, VendorName } from '#src/domain/channel.ts';
import type { ReportedState } from '#src/domain/trace/reported-state.ts';
import type { ShardDb } from '../database/database.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from './presence.ts';
import { REPORTED_STATE } from './reported-states.ts';
import type { TaggedDevice } from './tags.ts';

/** A device with everything that its owner and admins can see. */
export interface DeviceRecord {
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly deviceGuid: string;
  readonly pushToken: string;
  readonly userId: bigint | null;
  readonly generation: number;
  readonly alias: string | null;
  readonly tags: readonly string[];
  readonly bindings: readonly { channel: VendorName; environment: Environment; bound_ms: number }[];
  readonly online: boolean;
  /** A date, as a string. */
  readonly seenOn: string;
  readonly registeredAt: Date;
  readonly reportedState: ReportedState | null;
}

/** Subqueries instead of a join, because planning the join took longer than everything else. */
const SELECT = `
  select d.bucket, d.device_id as "deviceId", d.device_guid as "deviceGuid", d.push_token as "pushToken",
         d.user_id as "userId", d.generation, d.alias, d.seen_on::text as "seenOn",
         d.registered_at as "registeredAt",
         array(select t.tag from tags t where t.bucket = d.bucket and t.device_id = d.device_id order by t.tag collate "C") as tags,
         coalesce((select json_agg(json_build_object(
                            'channel', b.channel, 'environment', b.environment,
                            'bound_ms', floor(extract(epoch from b.bound_at) * 1000)) order by b.channel)
                     from bindings b
                    where b.app_id = d.app_id and b.bucket = d.bucket and b.device_id = d.device_id
                      and b.ended_at is null), '[]') as bindings,
         coalesce((select (select g.heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} s'
                             from gateways g
                            where g.gateway = s.gateway and g.epoch = s.epoch)
                     from sessions s
                    where s.bucket = d.bucket and s.device_id = d.device_id and s.online
                      and s.generation = d.generation), false) as online,
         ${REPORTED_STATE} as "reportedState"
    from devices d`;

export async function findRecordByPushToken(
  db: ShardDb,
  { appId, bucket, pushToken }: { readonly appId: string; readonly bucket: number; readonly pushToken: string },
): Promise<DeviceRecord | undefined> {
  const [record] = await db.queryPrepared<DeviceRecord>(
    `${SELECT} where d.app_id = $1 and d.bucket = $2 and d.push_token = $3 and d.user_id is not null`,
    [appId, bucket, pushToken],
  );
  return record;
}

/**
 * Returns up to `limit` devices with this guid: one for each user who has logged in with it, even if the user is logged
 * out.
 */
export async function findRecordsByGuid(
  db: ShardDb,
  { appId, bucket, deviceGuid }: { readonly appId: string; readonly bucket: number; readonly deviceGuid: string },
  limit: number,
): Promise<DeviceRecord[]> {
  return db.queryPrepared<DeviceRecord>(
    `${SELECT} where d.app_id = $1 and d.bucket = $2 and d.device_guid = $3 order by d.device_id limit $4`,
    [appId, bucket, deviceGuid, limit],
  );
}

export async function findRecordsOfUser(db: ShardDb, appId: string, userId: bigint): Promise<DeviceRecord[]> {
  return db.queryPrepared<DeviceRecord>(`${SELECT} where d.app_id = $1 and d.user_id = $2`, [appId, userId]);
}

export async function findRecords(db: ShardDb, appId: string, keys: readonly TaggedDevice[]): Promise<DeviceRecord[]> {
  return db.queryPrepared<DeviceRecord>(
    `${SELECT}
       join unnest($2::smallint[], $3::bigint[]) as k (bucket, device_id)
         on k.bucket = d.bucket and k.device_id = d.device_id
      where d.app_id = $1`,
    [appId, keys.map(({ bucket }) => bucket), keys.map(({ deviceId }) => deviceId)],
  );
}
