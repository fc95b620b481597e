import type { HomeDb, ShardDb } from './database.ts';
import { rangeOf } from './tasks.ts';

/**
 * Questions and repairs for databases that were restored, each to about the same moment: what one of them has forgotten
 * another may remember. Each may be repeated, and none does harm to a service that runs.
 */

/** More than can have been given out in what was lost. */
const NUMBERS_SKIPPED = 1_000_000;

/**
 * Numbers that others remember are not given again: a backend that knows Ada as 100123 must not reach whoever is
 * registered next.
 */
export async function skipHomeNumbers(db: HomeDb): Promise<void> {
  await skipNumbers(db, `('user_numbers'), ('group_numbers'), (pg_get_serial_sequence('admin_tokens', 'token_id'))`);
}

/** A token that the home database remembers must not open somebody else's device. */
export async function skipShardNumbers(db: ShardDb): Promise<void> {
  await skipNumbers(db, `('device_numbers')`);
}

async function skipNumbers(db: HomeDb | ShardDb, sequences: string): Promise<void> {
  await db.query(
    `select setval(sequence::regclass, nextval(sequence::regclass) + $1) from (values ${sequences}) as s (sequence)`,
    [NUMBERS_SKIPPED],
  );
}

/** A task of which the home database says that all its expansions exist, and that they were not dropped with their day. */
export interface ExpandedTask {
  readonly taskId: bigint;
  readonly finished: boolean;
  readonly expansions: number;
}

export async function findExpandedTasks(db: HomeDb, after: bigint, limit: number): Promise<ExpandedTask[]> {
  return db.query<ExpandedTask>(
    `select task_id as "taskId", state = 'finished' as finished, expansions
       from tasks
      where task_id > $1 and state <> 'accepted'
        and not exists (select from final_counts f where f.task_id = tasks.task_id)
      order by task_id
      limit $2`,
    [after, limit],
  );
}

/** What one shard database has of a task. */
export interface Expanded {
  readonly taskId: bigint;
  readonly planned: number;
  readonly done: number;
  /** A slice is open there. */
  readonly open: boolean;
}

export async function findExpanded(db: ShardDb, taskIds: readonly bigint[]): Promise<Expanded[]> {
  return db.query<Expanded>(
    `select e.task_id as "taskId", count(*)::int as planned, (count(*) filter (where e.state = 'done'))::int as done,
            exists (select from slices s
                     where s.task_id = e.task_id and s.state <> 'closed' and s.task_id between $2 and $3) as open
       from expansions e
      where e.task_id = any($1)
      group by e.task_id`,
    [taskIds, ...rangeOf(taskIds)],
  );
}

/** What lies in inboxes for slices that are gone would be acknowledged to nobody: it is laid there anew. */
export async function emptyInboxes(db: ShardDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query('delete from inbox where task_id = any($1)', [taskIds]);
}

/** They are expanded again; expansions that exist stay as they are. A worker that holds one loses it. */
export async function expandAgain(db: HomeDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query(
    `update tasks set state = 'accepted', finished_at = null, epoch = epoch + 1, next_at = now()
      where task_id = any($1) and task_id between $2 and $3 and state <> 'accepted'`,
    [taskIds, ...rangeOf(taskIds)],
  );
}

/** Their end is looked for again. */
export async function finishAgain(db: HomeDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query(
    `update tasks set state = 'planned', finished_at = null, next_at = now()
      where task_id = any($1) and task_id between $2 and $3 and state = 'finished'`,
    [taskIds, ...rangeOf(taskIds)],
  );
}

/** The tasks of which a shard database has something, from behind one on. */
export async function findTasksInShards(db: ShardDb, after: bigint, limit: number): Promise<bigint[]> {
  const rows = await db.query<{ taskId: bigint }>(
    `select distinct task_id as "taskId" from expansions where task_id > $1 order by 1 limit $2`,
    [after, limit],
  );
  return rows.map(({ taskId }) => taskId);
}

/** Those that the home database has neither as a task nor as final counts. */
export async function findUnknownTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<bigint[]> {
  const rows = await db.query<{ taskId: bigint }>(
    `select u.task_id as "taskId"
       from unnest($1::bigint[]) as u (task_id)
      where not exists (select from tasks t where t.task_id = u.task_id and t.task_id between $2 and $3)
        and not exists (select from final_counts f where f.task_id = u.task_id)`,
    [taskIds, ...rangeOf(taskIds)],
  );
  return rows.map(({ taskId }) => taskId);
}

/** Without its message nothing of a task can be sent or counted. The expansions go last: they are what it is found by. */
export async function forgetTasks(db: ShardDb, taskIds: readonly bigint[]): Promise<void> {
  const range = rangeOf(taskIds);
  await emptyInboxes(db, taskIds);
  for (const table of ['slice_targets', 'slices'])
    await db.query(`delete from ${table} where task_id = any($1) and task_id between $2 and $3`, [taskIds, ...range]);
  await db.query('delete from expansions where task_id = any($1)', [taskIds]);
}

/** So many slices at a time, so that no statement lasts long. */
const SLICES_PER_UPDATE = 10_000;

/** What waits in inboxes is laid there again: an inbox may be in another database than its slice. Answers how many slices. */
export async function layAgain(db: ShardDb): Promise<number> {
  for (let sum = 0; ; ) {
    const hurried = await db.query(
      `update slices set next_at = now()
        where (task_id, shard, slice) in (select task_id, shard, slice
                                            from slices
                                           where state = 'waiting' and next_at > now()
                                           limit ${SLICES_PER_UPDATE})
        returning 1`,
    );
    sum += hurried.length;
    if (hurried.length < SLICES_PER_UPDATE) return sum;
  }
}
