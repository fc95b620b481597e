import type { Lane } from '#src/domain/task.ts';
import { inTransaction, type ShardDb } from './database.ts';
import { DEVICE_COLUMNS, type Device } from './devices.ts';
import { LIVE_SESSION_JOIN } from './presence.ts';
import { type Claim, rangeOf, type TaskRange } from './tasks.ts';
import { dueRows } from './turns.ts';

/** One shard's part of turning an audience into slices. */
export interface NewExpansion {
  readonly taskId: bigint;
  readonly shard: number;
  readonly appId: string;
  readonly lane: Lane;
}

export interface HeldExpansion extends NewExpansion {
  readonly epoch: number;
  readonly cancelled: boolean;
}

/** Plans expansions; those that exist already stay as they are. */
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

/** Takes expansions that nobody works on. */
export async function claimExpansions(db: ShardDb, claim: Claim): Promise<HeldExpansion[]> {
  const due = dueRows('expansions', 'task_id, shard', claim, 6);
  return db.query<HeldExpansion>(
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

/** Of these apps, those that have so many slices due in this lane already. */
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

/** How many devices are in memory at a time while an expansion streams them. */
const DEVICES_PER_FETCH = 5_000;

/**
 * Streams every device of an expansion's shard, or every one with any of the tags, that was registered when its task was
 * due, and ends the expansion, all in one transaction: a crash leaves nothing. Unless it is done nothing of this stands:
 * another worker has taken it over, or its task was cancelled.
 */
export async function streamExpansion(
  db: ShardDb,
  expansion: HeldExpansion,
  audience: { readonly dueAt: Date; readonly tags: readonly string[] | null },
  handle: (tx: ShardDb, devices: readonly Device[], last: boolean) => Promise<void>,
): Promise<'done' | 'lost' | 'cancelled'> {
  const { shard, appId } = expansion;
  const { dueAt, tags } = audience;
  return inTransaction(db, async (tx) => {
    await tx.query(
      `declare audience no scroll cursor for
       select ${DEVICE_COLUMNS}
         from devices d ${LIVE_SESSION_JOIN}
        where d.app_id = $1 and d.shard = $2 and d.registered_at <= $3 and d.user_id is not null
          ${tags === null ? '' : 'and d.device_id in (select device_id from tags where app_id = $1 and shard = $2 and tag = any($4))'}
        order by d.device_id`,
      [appId, shard, dueAt, ...(tags === null ? [] : [tags])],
    );
    for (;;) {
      const devices = await tx.query<Device>(`fetch ${DEVICES_PER_FETCH} from audience`);
      const last = devices.length < DEVICES_PER_FETCH;
      await handle(tx, devices, last);
      if (last) break;
    }
    const end = await endExpansion(tx, expansion);
    if (end !== 'done') throw new RolledBack(end);
    return end;
  }).catch((error: unknown) => {
    if (error instanceof RolledBack) return error.end;
    throw error;
  });
}

class RolledBack extends Error {
  readonly end: 'lost' | 'cancelled';

  constructor(end: 'lost' | 'cancelled') {
    super();
    this.end = end;
  }
}

/** Ends an expansion whose holder we are, and tells whether its task was cancelled meanwhile. */
export async function endExpansion(
  db: ShardDb,
  { taskId, shard, epoch }: HeldExpansion,
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

/** How far tasks have come in this database: expansions done, and whether any slice is still open. */
export async function findProgress(
  db: ShardDb,
  taskIds: readonly bigint[],
): Promise<{ taskId: bigint; done: bigint; open: boolean }[]> {
  return db.query(
    `select e.task_id as "taskId", count(*) as done,
            exists (select from slices s
                     where s.task_id = e.task_id and s.state <> 'closed' and s.task_id between $2 and $3) as open
       from expansions e
      where e.task_id = any($1) and e.state = 'done'
      group by e.task_id`,
    [taskIds, ...rangeOf(taskIds)],
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
