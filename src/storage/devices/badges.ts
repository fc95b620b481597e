import { applyBadge, BADGE_MAX, combineBadges } from '#src/domain/message.ts';
import { ASYNC_COMMIT, type ShardDb } from '../database/database.ts';
import { type DeviceKey, keyColumns } from './devices.ts';

/** A change to the number on the app icon of one login of a device. */
export interface BadgeChange extends DeviceKey {
  readonly generation: number;
  /** `5` sets the number, and `+5` adds to it. */
  readonly badge: string;
}

/**
 * The block of a device. Devices of one bucket have IDs that are 4,096 apart, and each database numbers its devices. A
 * block has 64 devices of a bucket if there is one database, and more if there are several.
 */
export const blockOf = (deviceId: string): string => `(${deviceId} >> 30)::int`;

/** Returns an expression for the number of a device in the row `b` of `badge_blocks`. */
export const badgeIn = (deviceId: string, generation: string): string =>
  `(select e.badge from ${entriesOf('b')} where e.device_id = ${deviceId} and e.generation = ${generation})`;

const entriesOf = (row: string, name = 'e'): string =>
  `unnest(${row}.device_ids, ${row}.generations, ${row}.badges) as ${name} (device_id, generation, badge)`;

/** Replaces the arrays of a block by the entries of a query. The number 0 needs no entry. */
const setEntries = (query: string): string => `
  (device_ids, generations, badges) = (
    select coalesce(array_agg(device_id order by device_id), '{}'),
           coalesce(array_agg(generation order by device_id), '{}'),
           coalesce(array_agg(badge order by device_id), '{}')
      from (${query}) as entries
     where badge > 0)`;

/** Adds entries to their blocks as `applyBadge` does. `isRelative` is a parameter of the statement. */
const mergeEntries = (isRelative: string): string => `
  on conflict (app_id, bucket, block) do update set ${setEntries(`
    select device_id, greatest(old.generation, new.generation) as generation,
           case when new.generation is null or new.generation < old.generation then old.badge
                when ${isRelative} and new.generation = old.generation
                then least(old.badge::bigint + new.badge, ${BADGE_MAX})::int
                else new.badge end as badge
      from ${entriesOf('b', 'old')} full join ${entriesOf('excluded', 'new')} using (device_id)`)}`;

/**
 * Applies changes of badges, in order. Blocks are locked in the order of their keys. With `isAsync`, the commit does not
 * wait for the disk, because a badge that is behind by one after a crash is acceptable. It must not be used in a
 * transaction with other writes.
 */
export async function changeBadges(
  db: ShardDb,
  changes: readonly BadgeChange[],
  { isAsync = false }: { readonly isAsync?: boolean } = {},
): Promise<void> {
  const byDevice = new Map<bigint, BadgeChange>();
  for (const change of changes) {
    const earlier = byDevice.get(change.deviceId);
    const badge = earlier ? combineBadges(earlier.badge, change.badge) : change.badge;
    byDevice.set(change.deviceId, { ...change, badge });
  }
  for (const [relative, batch] of Map.groupBy(byDevice.values(), ({ badge }) => badge.startsWith('+')))
    await db.queryPrepared(
      `insert into badge_blocks as b (app_id, bucket, block, device_ids, generations, badges)
       select app_id, bucket, ${blockOf('device_id')}, array_agg(device_id), array_agg(generation), array_agg(badge)
         from unnest($1::text[], $2::smallint[], $3::bigint[], $4::int[], $5::int[])
              as c (app_id, bucket, device_id, generation, badge) ${isAsync ? `, ${ASYNC_COMMIT}` : ''}
        group by 1, 2, 3
        order by 1, 2, 3
       ${mergeEntries('$6')}`,
      [
        ...keyColumns(batch),
        batch.map(({ generation }) => generation),
        batch.map(({ badge }) => applyBadge(0, badge)),
        relative,
      ],
    );
}

/**
 * Stores the number that the device reports as its badge. Later relative badges are added to this number. Returns false
 * if the device was logged out.
 */
export async function setBadge(
  db: ShardDb,
  { appId, bucket, deviceId, generation }: DeviceKey & { generation: number },
  badge: number,
): Promise<boolean> {
  const rows = await db.query(
    `with owner as (
       select app_id, bucket, device_id, generation
         from devices
        where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4
          for share
     )
     insert into badge_blocks as b (app_id, bucket, block, device_ids, generations, badges)
     select app_id, bucket, ${blockOf('device_id')}, array[device_id], array[generation], array[$5::int] from owner
     ${mergeEntries('false')}
     returning b.bucket`,
    [appId, bucket, deviceId, generation, badge],
  );
  return rows.length > 0;
}

/** Deletes the number of a device. */
export async function deleteBadge(db: ShardDb, { appId, bucket, deviceId }: DeviceKey): Promise<void> {
  await db.query(
    `update badge_blocks b
        set ${setEntries(`select * from ${entriesOf('b')} where e.device_id <> $3`)}
      where app_id = $1 and bucket = $2 and block = ${blockOf('$3::bigint')} and $3 = any(device_ids)`,
    [appId, bucket, deviceId],
  );
}
