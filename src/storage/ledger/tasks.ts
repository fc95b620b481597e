import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Audience,
  type Lane,
  LIFETIME_SECONDS,
  rangeOfTaskIds,
  type Strategy,
  type Task,
  type TaskRange,
} from '#src/domain/task.ts';
import { parseTaskContent } from '#src/domain/task-content.ts';
import { stringifyJson } from '#src/foundation/json.ts';
import { ASYNC_COMMIT, type HomeDb, isLockConflict } from '../database/database.ts';
import type { TokenReference } from '../users/tokens.ts';
import { dueRows, type InFlightByApp } from './app-turns.ts';

export interface NewTask {
  /** The bucket of the idempotency key, or a random one. */
  readonly bucket: number;
  readonly appId: string;
  readonly author: string;
  /** The token that authenticated the request. */
  readonly token: TokenReference;
  readonly requestId: string | null;
  /** Distinguishes a repetition of the same request from a different request with the same idempotency key. */
  readonly bodyHash: Buffer;
  readonly lane: Lane;
  /** False for a list or a group. Null if it is decided when the task is due. */
  readonly byRange: false | null;
  readonly strategy: Strategy;
  readonly ospushSequence: readonly string[];
  readonly audience: Audience;
  readonly groupId: bigint | null;
  readonly messageText: string;
  /** Null means now. */
  readonly dueAt: Date | null;
  /** Null means a day after the task is due. */
  readonly notAfter: Date | null;
}

export interface AcceptedTask {
  readonly taskId: bigint;
  /** The idempotency key was used before. `taskId` is the task of the first request, and nothing was added. */
  readonly repeated: boolean;
  readonly bodyDiffers: boolean;
}

/**
 * Commits tasks and their idempotency keys in one statement: once it returns, the tasks are durable. Returns a result or
 * an error for each task, because the commit is valid even if the original task of a repeated idempotency key cannot be
 * read.
 */
export async function acceptTasks(db: HomeDb, tasks: readonly NewTask[]): Promise<(AcceptedTask | Error)[]> {
  const firstIndexByKey = new Map<string, number>();
  const leaderIndexes = tasks.map(({ appId, author, requestId }, i) => {
    if (requestId === null) return i;
    const key = JSON.stringify([appId, author, requestId]);
    if (!firstIndexByKey.has(key)) firstIndexByKey.set(key, i);
    return firstIndexByKey.get(key) as number;
  });
  const leaders = [...new Set(leaderIndexes)];

  const insertedIds = await insertTasksWithRetry(
    db,
    leaders.map((i) => at(tasks, i)),
  );
  const results = new Map<number, AcceptedTask | Error>();
  leaders.forEach((index, i) => {
    const taskId = insertedIds.get(i);
    if (taskId !== undefined) results.set(index, { taskId, repeated: false, bodyDiffers: false });
  });
  const duplicates = leaders.filter((i) => !results.has(i));
  for (const [i, original] of await findOriginalTasks(
    db,
    duplicates.map((i) => at(tasks, i)),
  ))
    results.set(at(duplicates, i), original);
  return tasks.map((task, i) => {
    const index = at(leaderIndexes, i);
    const result = results.get(index) as AcceptedTask | Error;
    if (index === i || result instanceof Error) return result;
    return { ...result, repeated: true, bodyDiffers: !task.bodyHash.equals(at(tasks, index).bodyHash) };
  });
}

/**
 * Finds the first tasks of repeated idempotency keys. This needs a second statement, because the insert does not see a
 * task that a concurrent statement has inserted.
 */
async function findOriginalTasks(db: HomeDb, tasks: readonly NewTask[]): Promise<Map<number, AcceptedTask | Error>> {
  if (tasks.length === 0) return new Map();
  const results = new Map<number, AcceptedTask | Error>();
  try {
    const requestKeys = await findRequestKeys(db, tasks);
    tasks.forEach((task, i) => {
      const key = requestKeys.get(i);
      if (!key)
        results.set(
          i,
          new Error('The idempotency key conflicted with an existing key, but the existing key was not found.'),
        );
      else results.set(i, { taskId: key.taskId, repeated: true, bodyDiffers: !key.bodyHash.equals(task.bodyHash) });
    });
  } catch (error) {
    tasks.forEach((_, i) => {
      results.set(i, error as Error);
    });
  }
  return results;
}

/** Number of attempts if other statements insert the same task IDs. Collisions are rare, and repeated ones are rarer. */
const INSERT_ATTEMPTS_MAX = 10;
/** Maximum pause after the first attempt. Each further pause can be longer by this time. */
const RETRY_PAUSE_MS_MAX = 20;

/** Inserts tasks. Nothing was written by an attempt that conflicted with another statement, so it can be repeated. */
async function insertTasksWithRetry(db: HomeDb, tasks: readonly NewTask[]): Promise<Map<number, bigint>> {
  for (let attempt = 1; ; attempt++)
    try {
      return await insertTasks(db, tasks);
    } catch (error) {
      if (!isLockConflict(error) || attempt === INSERT_ATTEMPTS_MAX) throw error;
      await sleep(Math.random() * RETRY_PAUSE_MS_MAX * attempt);
    }
}

/** Inserts tasks and returns their IDs by position. A position whose idempotency key was used before is absent. */
async function insertTasks(db: HomeDb, tasks: readonly NewTask[]): Promise<Map<number, bigint>> {
  const rows = await db.queryPrepared<{ position: number; taskId: bigint }>(
    `select task_position as position, accepted_id as "taskId"
       from accept_attributed_tasks($1::smallint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[],
                                    $7::boolean[], $8::text[], $9::text[], $10::text[], $11::text[],
                                    $12::timestamptz[], $13::timestamptz[], $14::bigint[], $15::text[], $16::bigint[],
                                    $17::bigint[], interval '${LIFETIME_SECONDS} s')`,
    [
      tasks.map(({ bucket }) => bucket),
      tasks.map(({ appId }) => appId),
      tasks.map(({ author }) => author),
      tasks.map(({ requestId }) => requestId),
      tasks.map(({ bodyHash }) => bodyHash),
      tasks.map(({ lane }) => lane),
      tasks.map(({ byRange }) => byRange),
      tasks.map(({ strategy }) => strategy),
      tasks.map(({ ospushSequence }) => ospushSequence.join(',')),
      tasks.map(({ audience }) => stringifyJson(audience)),
      tasks.map(({ messageText }) => messageText),
      tasks.map(({ dueAt }) => dueAt),
      tasks.map(({ notAfter }) => notAfter),
      tasks.map(({ groupId }) => groupId),
      tasks.map(({ token }) => token.kind),
      tasks.map(({ token }) => token.tokenId),
      tasks.map(({ token }) => token.parent),
    ],
  );
  return new Map(rows.map(({ position, taskId }) => [position - 1, taskId]));
}

type RequestKey = Pick<NewTask, 'bucket' | 'appId' | 'author' | 'requestId'>;

/** Returns the task of an earlier request with the same idempotency key. */
export async function findRepeatedTask(
  db: HomeDb,
  request: RequestKey & Pick<NewTask, 'bodyHash'>,
): Promise<AcceptedTask | undefined> {
  const key = (await findRequestKeys(db, [request])).get(0);
  return key && { taskId: key.taskId, repeated: true, bodyDiffers: !key.bodyHash.equals(request.bodyHash) };
}

async function findRequestKeys(
  db: HomeDb,
  tasks: readonly RequestKey[],
): Promise<Map<number, { taskId: bigint; bodyHash: Buffer }>> {
  const rows = await db.query<{ position: bigint; taskId: bigint; bodyHash: Buffer }>(
    `select u.position, k.task_id as "taskId", k.body_hash as "bodyHash"
       from unnest($1::smallint[], $2::text[], $3::text[], $4::text[])
            with ordinality as u (bucket, app_id, author, request_id, position)
       join request_keys k using (bucket, app_id, author, request_id)`,
    [
      tasks.map(({ bucket }) => bucket),
      tasks.map(({ appId }) => appId),
      tasks.map(({ author }) => author),
      tasks.map(({ requestId }) => requestId),
    ],
  );
  return new Map(rows.map((row) => [Number(row.position) - 1, row]));
}

/** Returns the current time of the home database, which is the reference clock for tasks. */
export async function readClock(db: HomeDb): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now');
  return (row as { now: Date }).now;
}

/**
 * A worker's request for work: at most `limit` rows of a lane, leased for `leaseSeconds`, among tasks with these IDs.
 */
export interface Claim {
  readonly lane: Lane;
  readonly limit: number;
  readonly leaseSeconds: number;
  readonly taskRange: TaskRange;
  /** Null selects the rows that have been due the longest. */
  readonly turns: InFlightByApp | null;
}

export interface ClaimedTask {
  readonly task: Task;
  readonly epoch: number;
  /** Whether the task is expanded by ranges of devices in every database. Null if it is not decided yet. */
  readonly byRange: boolean | null;
  readonly cancelled: boolean;
  /** The number of times that the task failed alone. */
  readonly failures: number;
}

/** A claimed task for which it is decided how it is expanded. */
export interface DecidedTask extends ClaimedTask {
  readonly byRange: boolean;
}

const TASK_COLUMNS = `
  t.task_id as "taskId", t.app_id as "appId", t.lane, t.audience, t.group_id as "groupId",
  t.author like 'user:%' as "byUser", t.strategy, t.ospush_sequence as "ospushSequence", t.message as "messageText",
  t.due_at as "dueAt", t.not_after as "notAfter"`;

const CLAIM_COLUMNS = `
  t.epoch, t.by_range as "byRange", t.cancelled_at is not null as cancelled, coalesce(t.failures, 0) as failures,
  ${TASK_COLUMNS}`;

/** Claims tasks that are due, or whose lease has lapsed, for this worker alone. */
export async function claimTasks(db: HomeDb, claim: Claim): Promise<ClaimedTask[]> {
  const due = dueRows('tasks', 'task_id', claim, 6);
  const rows = await db.query<StoredClaim>(
    `with due as (
       ${due.text}
     )
     update tasks t
        set epoch = t.epoch + 1, next_at = now() + $5 * interval '1 s'
       from due
      where t.task_id = due.task_id and t.task_id between $3 and $4
      returning ${CLAIM_COLUMNS}`,
    [claim.lane, claim.limit, ...claim.taskRange, claim.leaseSeconds, ...due.values],
  );
  return rows.map(toClaimedTask);
}

/**
 * Claims a task again for the worker that holds it, under a new epoch. Returns undefined if the worker no longer holds
 * it.
 */
export async function reclaimTask(
  db: HomeDb,
  { task, epoch }: Pick<ClaimedTask, 'epoch'> & { readonly task: Pick<Task, 'taskId'> },
  leaseSeconds: number,
): Promise<ClaimedTask | undefined> {
  const [row] = await db.query<StoredClaim>(
    `update tasks t set epoch = t.epoch + 1, next_at = now() + $3 * interval '1 s'
      where t.task_id = $1 and t.epoch = $2 and t.state = 'accepted'
      returning ${CLAIM_COLUMNS}`,
    [task.taskId, epoch, leaseSeconds],
  );
  return row && toClaimedTask(row);
}

/**
 * Sets whether a task is expanded by ranges, which never changes afterwards. Returns false if this worker no longer
 * holds the task.
 */
export async function decideByRange(db: HomeDb, { task, epoch }: ClaimedTask, byRange: boolean): Promise<boolean> {
  const rows = await db.query(
    `update tasks set by_range = $3
      where task_id = $1 and epoch = $2 and state = 'accepted' and by_range is null
      returning task_id`,
    [task.taskId, epoch, byRange],
  );
  return rows.length > 0;
}

export async function findTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<Task[]> {
  const rows = await db.query<StoredTask>(
    `select ${TASK_COLUMNS} from tasks t where t.task_id = any($1) and t.task_id between $2 and $3`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
  return rows.map(toTask);
}

/** A task whose expansions exist, and where they are: in every database, or only in that of the task's bucket. */
export interface PlannedTask {
  readonly taskId: bigint;
  readonly byRange: boolean;
}

/** A task that was marked as planned, and whether it was cancelled by then. */
export interface PlannedMark {
  readonly taskId: bigint;
  readonly cancelled: boolean;
}

/**
 * Marks tasks as planned: all their expansions exist, and only their completion is pending. Returns one result per
 * task, in order: undefined for a task that this worker no longer holds. If a crash undoes this write, the tasks are
 * claimed again and found to be expanded.
 */
export async function markPlanned(db: HomeDb, claims: readonly ClaimedTask[]): Promise<(PlannedMark | undefined)[]> {
  const taskIds = claims.map(({ task }) => task.taskId);
  const marks = await db.query<PlannedMark>(
    `update tasks t
        set state = 'planned', next_at = now() + interval '15 s'
       from unnest($1::bigint[], $2::int[]) as c (task_id, epoch), ${ASYNC_COMMIT}
      where t.task_id = c.task_id and t.epoch = c.epoch and t.state = 'accepted' and t.task_id between $3 and $4
      returning t.task_id as "taskId", t.cancelled_at is not null as cancelled`,
    [taskIds, claims.map(({ epoch }) => epoch), ...rangeOfTaskIds(taskIds)],
  );
  const byTask = new Map(marks.map((mark) => [mark.taskId, mark]));
  return taskIds.map((taskId) => byTask.get(taskId));
}

/** Releases tasks that are still claimed and not planned, so that any worker can claim them immediately. */
export async function releaseTasks(db: HomeDb, claims: readonly ClaimedTask[]): Promise<void> {
  const taskIds = claims.map(({ task }) => task.taskId);
  await db.query(
    `update tasks t set next_at = now()
       from unnest($1::bigint[], $2::int[]) as c (task_id, epoch)
      where t.task_id = c.task_id and t.epoch = c.epoch and t.state = 'accepted' and t.task_id between $3 and $4`,
    [taskIds, claims.map(({ epoch }) => epoch), ...rangeOfTaskIds(taskIds)],
  );
}

/**
 * Claims planned tasks that have not been checked for completion recently. Normally the worker that closes the last
 * slice detects the completion, and this query finds the remaining tasks. The checks become less frequent over time,
 * because most tasks that stay open for long wait in inboxes.
 */
export async function claimUnfinishedTasks(db: HomeDb, limit: number, taskRange: TaskRange): Promise<PlannedTask[]> {
  return db.query<PlannedTask>(
    `with due as (
       select task_id
         from tasks
        where state = 'planned' and next_at <= now() and task_id between $2 and $3
        order by next_at
        limit $1
          for update skip locked
     )
     update tasks t
        set next_at = now() + least(interval '10 min', greatest(interval '15 s', (now() - t.due_at) / 4))
       from due
      where t.task_id = due.task_id and t.task_id between $2 and $3
      returning t.task_id as "taskId", t.by_range as "byRange"`,
    [limit, ...taskRange],
  );
}

/** Returns the given tasks that are planned and not finished. */
export async function findPlannedTasks(db: HomeDb, taskIds: readonly bigint[]): Promise<PlannedTask[]> {
  return db.query<PlannedTask>(
    `select task_id as "taskId", by_range as "byRange"
       from tasks
      where task_id = any($1) and task_id between $2 and $3 and state = 'planned'`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

export async function markFinished(db: HomeDb, taskIds: readonly bigint[]): Promise<void> {
  await db.query(
    `update tasks set state = 'finished', finished_at = now()
      where task_id = any($1) and task_id between $2 and $3 and state = 'planned'`,
    [taskIds, ...rangeOfTaskIds(taskIds)],
  );
}

interface StoredTask extends Omit<Task, 'audience' | 'message' | 'defect'> {
  readonly audience: string;
}

type StoredClaim = StoredTask & Omit<ClaimedTask, 'task'>;

const toClaimedTask = ({ epoch, byRange, cancelled, failures, ...stored }: StoredClaim): ClaimedTask => ({
  ...{ epoch, byRange, cancelled, failures },
  task: toTask(stored),
});

const toTask = (stored: StoredTask): Task => ({ ...stored, ...parseTaskContent(stored.audience, stored.messageText) });

const at = <T>(items: readonly T[], i: number): T => items[i] as T;
