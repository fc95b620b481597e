import { applyBadge, BADGE_MAX } from '#src/domain/message.ts';
import { ASYNC_COMMIT, type ShardDb } from '../database/database.ts';
import { type DeviceKey, keyColumns } from './devices.ts';

/**
 * Maximum number of tasks that are stored per badge, so that a task that is repeated after a crash gets the same value
 * again.
 */
const RECENT_MAX = 16;

/** The change that a task makes to a device's badge. */
export interface BadgeMove extends DeviceKey {
  readonly taskId: bigint;
  readonly badge: string;
}

/** The new badge values, by task and device. */
export type MovedBadges = ReadonlyMap<string, number>;
export const badgeKey = ({ taskId, deviceId }: Pick<BadgeMove, 'taskId' | 'deviceId'>): string =>
  `${taskId} ${deviceId}`;

/** Applies badge changes and returns the new values. A repeated change has no effect. */
export async function moveBadges(db: ShardDb, moves: readonly BadgeMove[]): Promise<MovedBadges> {
  const values = new Map<string, number>();
  for (let remaining = moves; remaining.length > 0; ) {
    // One statement changes a row only once, so several moves of one badge run one after the other.
    const [first] = remaining as [BadgeMove];
    const devices = new Set<bigint>();
    const batch = remaining.filter((move) => {
      const fits = isRelative(move) === isRelative(first) && !devices.has(move.deviceId);
      if (fits) devices.add(move.deviceId);
      return fits;
    });
    for (const { value, ...key } of await moveEach(db, isRelative(first), batch)) values.set(badgeKey(key), value);
    remaining = remaining.filter((move) => !batch.includes(move));
  }
  return values;
}

const isRelative = ({ badge }: BadgeMove): boolean => badge.startsWith('+');

/**
 * Applies moves as `applyBadge` does for one badge. Rows are locked in key order. The commit is asynchronous, because a
 * badge that is behind by one after a crash is acceptable.
 */
function moveEach(
  db: ShardDb,
  relative: boolean,
  moves: readonly BadgeMove[],
): Promise<{ taskId: bigint; deviceId: bigint; value: number }[]> {
  const moved = `case when $6 then least(b.badge::bigint + excluded.badge, ${BADGE_MAX})::int else excluded.badge end`;
  const isNewTask = 'excluded.recent_tasks[1] <> all(b.recent_tasks)';
  const keepRecent = (list: string, added: string) =>
    `(b.${list} || ${added})[greatest(1, cardinality(b.${list}) + 2 - ${RECENT_MAX}):]`;
  return db.queryPrepared(
    `with m as (
       select u.*
         from unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[], $5::int[])
              as u (app_id, bucket, device_id, task_id, amount),
              ${ASYNC_COMMIT}
        order by 1, 2, 3
     ), moved as (
       insert into badges as b (app_id, bucket, device_id, badge, recent_tasks, recent_values)
       select app_id, bucket, device_id, amount, array[task_id], array[amount] from m
       on conflict (app_id, bucket, device_id) do update
          set badge = case when ${isNewTask} then ${moved} else b.badge end,
              recent_tasks = case when ${isNewTask}
                             then ${keepRecent('recent_tasks', 'excluded.recent_tasks')} else b.recent_tasks end,
              recent_values = case when ${isNewTask}
                              then ${keepRecent('recent_values', moved)} else b.recent_values end
       returning b.app_id, b.bucket, b.device_id, b.recent_tasks, b.recent_values
     )
     select m.task_id as "taskId", m.device_id as "deviceId",
            moved.recent_values[array_position(moved.recent_tasks, m.task_id)] as value
       from m join moved using (app_id, bucket, device_id)`,
    [...keyColumns(moves), moves.map(({ taskId }) => taskId), moves.map(({ badge }) => applyBadge(0, badge)), relative],
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
    `insert into badges (app_id, bucket, device_id, badge, recent_tasks, recent_values)
     select app_id, bucket, device_id, $5, '{}', '{}'
       from devices
      where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4
        for share
     on conflict (app_id, bucket, device_id) do update set badge = excluded.badge
     returning device_id`,
    [appId, bucket, deviceId, generation, badge],
  );
  return rows.length > 0;
}
