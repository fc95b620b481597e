import { inTransaction, type ShardDb } from '../database/database.ts';
import type { DeviceKey } from './devices.ts';

export interface TagChange {
  readonly clear: boolean;
  readonly remove: readonly string[];
  readonly add: readonly string[];
  readonly tagsMax: number;
}

/**
 * Changes the tags of a device and returns its tags. Returns undefined if the device no longer has this generation.
 * Returns `too-many`, and changes nothing, if the device would have more than `tagsMax` tags.
 */
export function changeTags(
  db: ShardDb,
  key: DeviceKey & { generation: number },
  change: TagChange,
): Promise<string[] | 'too-many' | undefined> {
  const { appId, bucket, deviceId, generation } = key;
  return inTransaction(db, async (tx) => {
    // The device's row is locked, so that two concurrent changes cannot exceed the limit together.
    const lockedDevices = await tx.query(
      `select from devices
        where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4
          for update`,
      [appId, bucket, deviceId, generation],
    );
    if (lockedDevices.length === 0) return undefined;
    const rows = await tx.query<{ tag: string }>('select tag from tags where bucket = $1 and device_id = $2', [
      bucket,
      deviceId,
    ]);
    const before = new Set(rows.map(({ tag }) => tag));
    const after = new Set(change.clear ? [] : before);
    for (const tag of change.remove) after.delete(tag);
    for (const tag of change.add) after.add(tag);
    if (after.size > change.tagsMax) return 'too-many';

    const removed = [...before].filter((tag) => !after.has(tag));
    const added = [...after].filter((tag) => !before.has(tag));
    if (removed.length > 0)
      await tx.query('delete from tags where app_id = $1 and bucket = $2 and device_id = $3 and tag = any($4)', [
        appId,
        bucket,
        deviceId,
        removed,
      ]);
    if (added.length > 0)
      await tx.query(
        'insert into tags (app_id, bucket, device_id, tag) select $1, $2, $3, unnest($4::text[]) on conflict do nothing',
        [appId, bucket, deviceId, added],
      );
    return [...after].sort(compareBytes);
  });
}

/** Compares in the order of PostgreSQL's `collate "C"`, in which other queries return a device's tags. */
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Returns the given devices that have any of the tags. */
export async function findDevicesWithTags(
  db: ShardDb,
  appId: string,
  tags: readonly string[],
  keys: readonly { bucket: number; deviceId: bigint }[],
): Promise<bigint[]> {
  const rows = await db.query<{ deviceId: bigint }>(
    `select distinct t.device_id as "deviceId"
       from unnest($3::smallint[], $4::bigint[]) as k (bucket, device_id)
       join tags t on t.bucket = k.bucket and t.device_id = k.device_id
      where t.app_id = $1 and t.tag = any($2)`,
    [appId, tags, keys.map(({ bucket }) => bucket), keys.map(({ deviceId }) => deviceId)],
  );
  return rows.map(({ deviceId }) => deviceId);
}

/** The key of a device in the `tags` table. */
export interface TaggedDevice {
  readonly bucket: number;
  readonly deviceId: bigint;
}

/** Returns the devices with a tag that follow `after`, ordered by bucket and device. */
export async function findTagPage(
  db: ShardDb,
  appId: string,
  tag: string,
  after: TaggedDevice,
  limit: number,
): Promise<TaggedDevice[]> {
  return db.queryPrepared<TaggedDevice>(
    `select bucket, device_id as "deviceId"
       from tags
      where app_id = $1 and tag = $2 and (bucket, device_id) > ($3::smallint, $4::bigint)
      order by bucket, device_id
      limit $5`,
    [appId, tag, after.bucket, after.deviceId, limit],
  );
}
