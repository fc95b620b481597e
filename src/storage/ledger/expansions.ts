import { type Lane, rangeOfTaskIds, type TaskRange } from '#src/domain/task.ts';
import { INT64_MAX } from '#src/foundation/int64.ts';
import { inTransaction, type ShardDb } from '../database/database.ts';
import { type DeviceGroup, ROUTING_COLUMNS } from '../devices/devices.ts';
import { LIVE_SESSION_JOIN, LIVE_SESSIONS_JOIN } from '../devices/presence.ts';
import { dueRows } from './app-turns.ts';
import type { Claim } from './tasks.ts';

/** The expansion of a task's audience into slices, for one shard. */
export interface NewExpansion {
  readonly taskId: bigint;
  readonly shard: number;
  readonly appId: string;
  readonly lane: Lane;
}

export interface ClaimedExpansion extends NewExpansion {
  readonly epoch: number;
  readonly cancelled: boolean;
}

/** Inserts expansions and leaves existing ones unchanged. */
export async function insertExpansions(db: ShardDb, expansions: readonly NewExpansion[]): Promise<void> {
  await db.query(
    `insert into expansions (task_id, shard, app_id, lane, state, next_at)
     select task_id, shard, app_id, lane, 'ready', now()
       from unnest($1::bigint[], $2::smallint[], $3::text[], $4::text[]) as e (task_id, shard, app_id, lane)
      order by 1, 2
     on conflict do nothing`,
    expansionColumns(expansions),
  );
}

/** Claims due expansions that no worker holds. */
export async function claimExpansions(db: ShardDb, claim: Claim): Promise<ClaimedExpansion[]> {
  const due = dueRows('expansions', 'task_id, shard', claim, 6);
  return db.query<ClaimedExpansion>(
    `with due as (
       ${due.text}
     )
     update expansions e
        set state = 'leased', epoch = e.epoch + 1, next_at = now() + $5 * interval '1 s'
       from due
      where (e.task_id, e.shard) = (due.task_id, due.shard)
      returning e.task_id as "taskId", e.shard, e.app_id as "appId", e.lane, e.epoch, e.cancelled`,
    [claim.lane, claim.limit, ...claim.taskRange, claim.leaseSeconds, ...due.values],
  );
}

/** Returns the given apps that already have `slicesMax` due slices in this lane. */
export async function findBusyApps(
  db: ShardDb,
  lane: Lane,
  appIds: readonly string[],
  taskRange: TaskRange,
  slicesMax: number,
): Promise<string[]> {
  const rows = await db.query<{ appId: string }>(
    `select app_id as "appId"
       from unnest($1::text[]) as app (app_id)
      where (select count(*)
               from (select from slices s
                      where s.lane = $2 and s.state <> 'closed' and s.app_id = app.app_id and s.next_at <= now()
                        and s.task_id between $3 and $4
                      limit $5) as due) >= $5`,
    [appIds, lane, ...taskRange, slicesMax],
  );
  return rows.map(({ appId }) => appId);
}

/** All devices, or all with any of the tags, that were registered when the task was due. */
export interface DeviceAudience {
  readonly dueAt: Date;
  readonly tags: readonly string[] | null;
}

const GROUP_COLUMNS = `${ROUTING_COLUMNS}, count(*)::int as "placeCount", string_agg(d.device_id::text, ',') as "deviceIds",
            string_agg(d.generation::text, ',') as generations`;

/** Devices per page: few enough to sort in PostgreSQL's memory, and enough to outweigh a round trip. */
const DEVICES_PER_PAGE = 8_192;

/**
 * Reads the devices of an expansion's shard that were registered when its task was due, and ends the expansion. With
 * tags, it reads only devices that have any of them. Everything is one transaction, so a crash leaves nothing behind.
 * The transaction is rolled back if another worker has claimed the expansion (`lost`) or its task was cancelled.
 * Devices with the same routing properties share a row of a page, because a row for each device would cost several
 * times as much.
 */
export async function streamExpansion(
  db: ShardDb,
  expansion: ClaimedExpansion,
  audience: DeviceAudience,
  handle: (tx: ShardDb, groups: readonly DeviceGroup[], last: boolean) => Promise<void>,
): Promise<'done' | 'lost' | 'cancelled'> {
  return inTransaction(db, async (tx) => {
    // Sessions are unlogged. After a crash PostgreSQL has no statistics about the sessions that are announced again,
    // and would compare each device with each session. A hash join always works well here, because both sides are
    // bounded.
    await tx.query('set local enable_nestloop = off');
    for (let after = 0n; after < INT64_MAX; ) {
      const upTo = await findPageEnd(tx, expansion, after);
      const groups = await findPage(tx, expansion, audience, [after, upTo]);
      await handle(tx, groups, upTo === INT64_MAX);
      after = upTo;
    }
    const outcome = await endExpansion(tx, expansion);
    if (outcome !== 'done') throw new ExpansionRollback(outcome);
    return outcome;
  }).catch((error: unknown) => {
    if (error instanceof ExpansionRollback) return error.outcome;
    throw error;
  });
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
        ${tags === null ? '' : 'and (d.shard, d.device_id) in (select shard, device_id from tags where app_id = $1 and tag = any($3))'}
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

/**
 * Returns the last device ID of a page, whether or not the device is in the audience. Returns `INT64_MAX` for the last
 * page.
 */
async function findPageEnd(db: ShardDb, { appId, shard }: ClaimedExpansion, after: bigint): Promise<bigint> {
  const [lastDevice] = await db.query<{ deviceId: bigint }>(
    `select device_id as "deviceId" from devices
      where app_id = $1 and shard = $2 and device_id > $3
      order by device_id offset ${DEVICES_PER_PAGE - 1} limit 1`,
    [appId, shard, after],
  );
  return lastDevice?.deviceId ?? INT64_MAX;
}

/**
 * Returns the device groups of one page. The page's bounds are repeated for each table, because the planner does not
 * derive them.
 */
async function findPage(
  db: ShardDb,
  { appId, shard }: ClaimedExpansion,
  { dueAt, tags }: DeviceAudience,
  page: readonly [after: bigint, upTo: bigint],
): Promise<DeviceGroup[]> {
  const within = 'd.device_id > $3 and d.device_id <= $4';
  // Selects by device ID, so that a query for a rare tag is cheap.
  const tagged = `d.device_id = any (array(select device_id from tags
                                            where app_id = $1 and shard = $2 and device_id > $3 and device_id <= $4
                                              and tag = any($6)))`;
  return db.query<DeviceGroup>(
    `select ${GROUP_COLUMNS}
       from devices d ${LIVE_SESSIONS_JOIN} and s.device_id > $3 and s.device_id <= $4
      where d.app_id = $1 and d.shard = $2 and ${tags === null ? within : tagged} and d.registered_at <= $5
        and d.user_id is not null
      group by 1, 2, 3, 4`,
    [appId, shard, ...page, dueAt, ...(tags === null ? [] : [tags])],
  );
}

class ExpansionRollback extends Error {
  readonly outcome: 'lost' | 'cancelled';

  constructor(outcome: 'lost' | 'cancelled') {
    super();
    this.outcome = outcome;
  }
}

/**
 * Ends an expansion that this worker holds. Returns `lost` if another worker holds it, and `cancelled` if its task was
 * cancelled.
 */
export async function endExpansion(
  db: ShardDb,
  { taskId, shard, epoch }: ClaimedExpansion,
): Promise<'done' | 'lost' | 'cancelled'> {
  const [row] = await db.query<{ cancelled: boolean }>(
    `update expansions set state = 'done', done_at = now()
      where task_id = $1 and shard = $2 and epoch = $3 and state = 'leased'
      returning cancelled`,
    [taskId, shard, epoch],
  );
  if (!row) return 'lost';
  return row.cancelled ? 'cancelled' : 'done';
}

/**
 * Returns the progress of tasks in this database: the number of expansions that are done, and whether any slice is
 * still open.
 */
export async function findShardProgress(
  db: ShardDb,
  taskIds: readonly bigint[],
): Promise<{ taskId: bigint; expansionsDone: bigint; hasOpenSlice: boolean }[]> {
  return db.query(
    `select e.task_id as "taskId", count(*) as "expansionsDone",
            exists (select from slices s
                     where s.task_id = e.task_id and s.state <> 'closed' and s.task_id between $2 and $3) as "hasOpenSlice"
       from expansions e
      where e.task_id = any($1) and e.state = 'done'
      group by e.task_id`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

export function expansionColumns(expansions: readonly NewExpansion[]): unknown[] {
  return [
    expansions.map(({ taskId }) => taskId),
    expansions.map(({ shard }) => shard),
    expansions.map(({ appId }) => appId),
    expansions.map(({ lane }) => lane),
  ];
}
