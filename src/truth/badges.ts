import { moveBadge } from '#src/domain/message.ts';
import { inTransaction, type ShardDb } from './database.ts';
import { type DeviceKey, keyColumns } from './devices.ts';

/** How many tasks a device's badge remembers, so that one repeated after a crash gets its old value. */
const RECENT_MAX = 16;

interface BadgeRow extends DeviceKey {
  readonly badge: number;
  readonly recentTasks: bigint[];
  readonly recentValues: number[];
}

/** Moves the badges of these devices for one task and answers their values. Doing it twice moves them once. */
export function moveBadges(
  db: ShardDb,
  taskId: bigint,
  badge: string,
  keys: readonly DeviceKey[],
): Promise<Map<bigint, number>> {
  return inTransaction(db, async (tx) => {
    const columns = keyColumns(keys);
    await tx.query(
      `insert into badges (app_id, shard, device_id, badge, recent_tasks, recent_values)
       select app_id, shard, device_id, 0, '{}', '{}'
         from unnest($1::text[], $2::smallint[], $3::bigint[]) as k (app_id, shard, device_id)
        order by 1, 2, 3
       on conflict do nothing`,
      columns,
    );
    const rows = await tx.query<BadgeRow>(
      `select app_id as "appId", shard, device_id as "deviceId", badge, recent_tasks as "recentTasks", recent_values as "recentValues"
         from badges
        where (app_id, shard, device_id) in (select * from unnest($1::text[], $2::smallint[], $3::bigint[]))
        order by app_id, shard, device_id
          for update`,
      columns,
    );
    const values = new Map<bigint, number>();
    const moved: BadgeRow[] = [];
    for (const row of rows) {
      const known = row.recentTasks.indexOf(taskId);
      const value = known >= 0 ? (row.recentValues[known] as number) : moveBadge(row.badge, badge);
      values.set(row.deviceId, value);
      if (known < 0) moved.push({ ...row, badge: value });
    }
    const last = (kept: readonly unknown[], added: unknown) => `{${[...kept, added].slice(-RECENT_MAX).join(',')}}`;
    await tx.query(
      `update badges b
          set badge = m.badge, recent_tasks = m.tasks::bigint[], recent_values = m.values::int[]
         from unnest($1::text[], $2::smallint[], $3::bigint[], $4::int[], $5::text[], $6::text[])
              as m (app_id, shard, device_id, badge, tasks, values)
        where (b.app_id, b.shard, b.device_id) = (m.app_id, m.shard, m.device_id)`,
      [
        moved.map(({ appId }) => appId),
        moved.map(({ shard }) => shard),
        moved.map(({ deviceId }) => deviceId),
        moved.map((row) => row.badge),
        moved.map(({ recentTasks }) => last(recentTasks, taskId)),
        moved.map(({ recentValues, badge: value }) => last(recentValues, value)),
      ],
    );
    return values;
  });
}

/** The number that the device shows by its own account; tasks count on from it. False: it has changed hands. */
export async function setBadge(
  db: ShardDb,
  { appId, shard, deviceId, generation }: DeviceKey & { generation: number },
  badge: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into badges (app_id, shard, device_id, badge, recent_tasks, recent_values)
     select app_id, shard, device_id, $5, '{}', '{}'
       from devices
      where app_id = $1 and shard = $2 and device_id = $3 and generation = $4
        for share
     on conflict (app_id, shard, device_id) do update set badge = excluded.badge
     returning device_id`,
    [appId, shard, deviceId, generation, badge],
  );
  return rows.length > 0;
}
