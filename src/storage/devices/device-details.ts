import type { ShardDb } from '../database/database.ts';
import { badgeIn, blockOf } from './badges.ts';
import type { DeviceKey } from './devices.ts';
import { LIVE_SESSION } from './presence.ts';

/** The parts of a device that change with each notification or connection. */
export interface DeviceDetails {
  readonly badge: number;
  /** The gateway that holds the device's session. Null if the device is not connected. */
  readonly gateway: string | null;
  readonly connectedAt: Date | null;
  /** The notifications in the inbox, the oldest first. */
  readonly inbox: readonly InboxEntry[];
}

interface InboxEntry {
  readonly taskId: bigint;
  readonly expiresAt: Date;
}

/** Returns the details of a device, or undefined if its user was logged out. Touches at most 100 rows of the inbox. */
export async function findDeviceDetails(
  db: ShardDb,
  { appId, bucket, deviceId, generation }: DeviceKey & { readonly generation: number },
): Promise<DeviceDetails | undefined> {
  const [details] = await db.queryPrepared<Omit<DeviceDetails, 'inbox'>>(
    `select coalesce((select ${badgeIn('d.device_id', 'd.generation')} from badge_blocks b
                       where b.app_id = d.app_id and b.bucket = d.bucket and b.block = ${blockOf('d.device_id')}), 0)
              as badge,
            s.gateway, s.since as "connectedAt"
       from devices d
       left join lateral (select s.gateway, s.since from sessions s where ${LIVE_SESSION} offset 0) s on true
      where d.app_id = $1 and d.bucket = $2 and d.device_id = $3 and d.generation = $4`,
    [appId, bucket, deviceId, generation],
  );
  if (!details) return undefined;
  const inbox = await db.queryPrepared<InboxEntry>(
    `select task_id as "taskId", expires_at as "expiresAt"
       from inbox
      where bucket = $1 and device_id = $2 and generation = $3 and expires_at > now()
      order by task_id`,
    [bucket, deviceId, generation],
  );
  return { ...details, inbox };
}
