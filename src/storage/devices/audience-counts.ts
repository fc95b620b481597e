import type { VendorName } from '#src/domain/channel.ts';
import { NATIVE_TARGET_DAYS } from '#src/domain/device.ts';
import type { ShardDb } from '../database/database.ts';
import { LIVE_SESSION_JOIN } from './presence.ts';

/** The number of devices that have the same routing properties. */
export interface DeviceCount {
  readonly reach: number;
  readonly latestDomestic: VendorName | null;
  readonly nativeTarget: boolean;
  readonly online: boolean;
  readonly count: bigint;
}

/** Selects the devices to count: those that match every given part. */
export interface AudienceFilter {
  readonly tags?: readonly string[];
  readonly userIds?: readonly bigint[];
  readonly aliases?: readonly string[];
  readonly pushTokens?: readonly string[];
}

/** Counts the audience's devices in this database, grouped by all properties that decide their route. */
export async function countAudience(db: ShardDb, appId: string, audience: AudienceFilter): Promise<DeviceCount[]> {
  const values: unknown[] = [appId];
  const clauses: string[] = [];
  const { tags, userIds, aliases, pushTokens } = audience;
  if (tags)
    clauses.push(
      `and exists (select from tags t
                    where t.app_id = d.app_id and t.tag = any($${values.push(tags)})
                      and t.bucket = d.bucket and t.device_id = d.device_id)`,
    );
  if (userIds) clauses.push(`and d.user_id = any($${values.push(userIds)})`);
  if (aliases) clauses.push(`and d.alias = any($${values.push(aliases)})`);
  if (pushTokens) clauses.push(`and d.push_token = any($${values.push(pushTokens)})`);
  return db.query<DeviceCount>(
    `select d.reach, d.latest_domestic as "latestDomestic",
            d.seen_on > current_date - ${NATIVE_TARGET_DAYS} as "nativeTarget", s.gateway is not null as online,
            count(*) as count
       from devices d ${LIVE_SESSION_JOIN}
      where d.app_id = $1 and d.user_id is not null ${clauses.join('\n        ')}
      group by 1, 2, 3, 4`,
    values,
  );
}
