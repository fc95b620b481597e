import { bucketOfRequestKey } from '#src/domain/bucket.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { bucketOfTask, firstTaskIdAt } from '#src/domain/task.ts';
import type { Storage } from '#src/storage/database/database.ts';
import {
  dayNumberOf,
  ensureHomePartitions,
  ensureShardPartitions,
  startOfDay,
} from '#src/storage/database/partitions.ts';

/**
 * A finished task from an earlier day, with its devices by channel. The notification was sent to all of them, and every
 * second device received it.
 */
export interface OldTask {
  readonly author?: string;
  readonly groupId?: bigint;
  readonly requestId?: string;
  readonly places: Readonly<Record<string, number>>;
  /** A task for all devices, with slices in every database. */
  readonly everyone?: boolean;
}

/** Creates the partitions of every day from `daysAgo` days ago until today. */
export async function createDayPartitions({ home, shards }: Storage, daysAgo: number): Promise<void> {
  await ensureHomePartitions(home, daysAgo);
  for (const db of shards.all) await ensureShardPartitions(db, daysAgo);
}

/**
 * Inserts a copy of a task with another id and due time, in the state after it was accepted. The id determines the day
 * on which it was accepted. Returns the due time.
 */
export async function copyTask(
  { home }: Storage,
  original: bigint,
  { taskId, dueInMs }: { taskId: bigint; dueInMs: number },
): Promise<Date> {
  const [row] = await home.query<{ dueAt: Date }>(
    `insert into tasks (task_id, app_id, author, lane, by_range, strategy, ospush_sequence, audience, message, due_at,
                        not_after, next_at)
     select $2, app_id, author, lane, by_range, strategy, ospush_sequence, audience, message,
            now() + $3 * interval '1 ms', now() + interval '1 h', now() + $3 * interval '1 ms'
       from tasks where task_id = $1
     returning due_at as "dueAt"`,
    [original, taskId, dueInMs],
  );
  return (row as { dueAt: Date }).dueAt;
}

export const dayNumberBefore = (daysAgo: number): number => dayNumberOf(new Date()) - daysAgo;

/** Inserts finished tasks for a day, with all rows that a sent task leaves in the databases. Returns their ids. */
export async function insertFinishedTasks(
  storage: Storage,
  appId: string,
  day: number,
  tasks: readonly OldTask[],
): Promise<bigint[]> {
  const first = firstTaskIdAt(new Date(startOfDay(day).getTime() + 60_000));
  const taskIds = tasks.map((_, i) => first + BigInt(i));
  for (const [i, task] of tasks.entries()) await insertFinishedTask(storage, appId, taskIds[i] as bigint, task);
  return taskIds;
}

async function insertFinishedTask(
  { home, shards }: Storage,
  appId: string,
  taskId: bigint,
  task: OldTask,
): Promise<void> {
  const { author = 'admin', groupId = null, requestId, everyone = false } = task;
  await home.query(
    `insert into tasks (task_id, app_id, author, group_id, lane, state, by_range, strategy, ospush_sequence, audience,
                        message, due_at, not_after, next_at)
     values ($1, $2, $3, $4, 'prompt', 'finished', $5, 'combined', '{ups,fcm}', '{"kind":"all"}', '{}', now(), now(), now())`,
    [taskId, appId, author, groupId, everyone],
  );
  if (requestId !== undefined)
    await home.query(
      `insert into request_keys (bucket, app_id, author, request_id, task_id, body_hash) values ($1, $2, $3, $4, $5, '')`,
      [bucketOfRequestKey({ appId, author, requestId }), appId, author, requestId, taskId],
    );
  const ownBucket = { firstBucket: bucketOfTask(taskId), lastBucket: bucketOfTask(taskId) };
  const ranges = everyone ? shards.all.flatMap((db) => shards.rangesOf(db)) : [ownBucket];
  for (const { firstBucket: bucket, lastBucket } of ranges) {
    const db = shards.dbFor(bucket);
    await db.query(
      `insert into expansions (task_id, bucket, after_id, last_bucket, last_id, app_id, lane, state, next_at, done_at)
       values ($1, $2, 0, $3, 9223372036854775807, $4, 'prompt', 'done', now(), now())`,
      [taskId, bucket, lastBucket, appId],
    );
    for (const [channel, placeCount] of Object.entries(task.places))
      await db.query(
        `with made as (
           insert into slices (task_id, bucket, slice, app_id, channel, lane, n, state, next_at, status, sent, received)
           values ($1, $2, nextval('slice_numbers'), $3, $4, 'prompt', $5::int, 'closed', now(), $6, repeat('1', $5::int)::varbit,
                   substr(repeat('10', $5::int), 1, $5::int)::varbit)
           returning task_id, bucket, slice
         )
         insert into slice_targets (task_id, bucket, slice, device_ids, generations)
         select task_id, bucket, slice, array_agg(i), array_agg(1) from made, generate_series(1, $5::int) as i group by 1, 2, 3`,
        [taskId, bucket, appId, channel, placeCount, Buffer.alloc(placeCount, placeStatus.sent)],
      );
  }
}
