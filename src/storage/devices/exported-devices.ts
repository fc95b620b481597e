import type { ReportedState } from '#src/domain/trace/reported-state.ts';
import type { ShardDb } from '../database/database.ts';
import { badgeIn, blockOf } from './badges.ts';
import { REPORTED_STATE } from './reported-states.ts';

/** A device with everything that is stored about it. Times are in Unix epoch milliseconds. */
export interface ExportedDevice {
  readonly deviceGuid: string;
  readonly pushToken: string;
  /** False if the user was logged out. */
  readonly loggedIn: boolean;
  readonly alias: string | null;
  readonly seenOn: string;
  readonly registeredAt: Date;
  readonly connectedSince: Date | null;
  readonly tags: readonly string[];
  readonly badge: number | null;
  readonly bindings: readonly object[];
  readonly reportedState: ReportedState | null;
  /** The tasks whose notifications wait in the inbox. */
  readonly inbox: readonly bigint[];
}

/** Returns the devices in this database that belong to a user, or from which the user was logged out last. */
export async function findDevicesToExport(db: ShardDb, appId: string, userId: bigint): Promise<ExportedDevice[]> {
  return db.query<ExportedDevice>(
    `select d.device_guid as "deviceGuid", d.push_token as "pushToken", d.user_id is not null as "loggedIn", d.alias,
            d.seen_on::text as "seenOn", d.registered_at as "registeredAt",
            (select s.since from sessions s where s.bucket = d.bucket and s.device_id = d.device_id and s.online)
              as "connectedSince",
            array(select t.tag from tags t where t.bucket = d.bucket and t.device_id = d.device_id order by t.tag) as tags,
            (select ${badgeIn('d.device_id', 'd.generation')} from badge_blocks b
              where b.app_id = d.app_id and b.bucket = d.bucket and b.block = ${blockOf('d.device_id')}) as badge,
            coalesce((select json_agg(json_build_object(
                               'channel', b.channel, 'environment', b.environment, 'vendor_token', b.token,
                               'bound_at', floor(extract(epoch from b.bound_at) * 1000),
                               'ended_at', floor(extract(epoch from b.ended_at) * 1000)) order by b.bound_at)
                        from bindings b
                       where b.app_id = d.app_id and b.bucket = d.bucket and b.device_id = d.device_id), '[]')
              as bindings,
            ${REPORTED_STATE} as "reportedState",
            array(select i.task_id from inbox i
                   where i.bucket = d.bucket and i.device_id = d.device_id order by i.task_id) as inbox
       from devices d
      where d.app_id = $1 and (d.user_id = $2 or d.former_user_id = $2)`,
    [appId, userId],
  );
}
