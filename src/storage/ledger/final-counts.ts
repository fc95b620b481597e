import type { TaskVisibility } from '#src/domain/caller.ts';
import { ERASED_AUTHOR } from '#src/domain/erasure/user-names.ts';
import { firstTaskIdAt, type TaskRange } from '#src/domain/task.ts';
import type { HomeDb } from '../database/database.ts';
import { type ChannelCounts, sightValues, type TaskOfApp } from './statistics.ts';

/** A task whose day is about to be dropped, with the fields that are kept. */
export interface TaskToCount extends TaskOfApp {
  readonly author: string;
  readonly groupId: bigint | null;
}

/** Returns the tasks of a day that follow `after` and have no final counts yet. */
export async function findTasksToCount(
  db: HomeDb,
  [from, to]: TaskRange,
  after: bigint | null,
  limit: number,
): Promise<TaskToCount[]> {
  return db.query<TaskToCount>(
    `select t.task_id as "taskId", t.app_id as "appId", t.author, t.group_id as "groupId"
       from tasks t
      where t.task_id between $1 and $2 and ($3::bigint is null or t.task_id > $3)
        and not exists (select from final_counts f where f.task_id = t.task_id and f.task_id between $1 and $2)
      order by t.task_id
      limit $4`,
    [from, to, after, limit],
  );
}

/**
 * Inserts final counts and leaves existing ones unchanged. A repeated count may be lower, because a part of the day may
 * already be dropped.
 */
export async function insertFinalCounts(
  db: HomeDb,
  tasks: readonly TaskToCount[],
  counts: readonly ChannelCounts[],
): Promise<void> {
  const byTask = Map.groupBy(counts, ({ taskId }) => taskId);
  const rows = tasks.map(({ taskId }) => foldChannels(byTask.get(taskId) ?? []));
  const joined = (key: Exclude<keyof ChannelCounts, 'taskId'>) =>
    rows.map((row) => row.map((channelCounts) => channelCounts[key]).join(','));
  await db.query(
    `insert into final_counts (task_id, app_id, author, group_id, channels, targets, sent, received, clicked)
     select task_id, app_id,
            -- The erasure of the author can begin after the task was read.
            case when exists (select from erasures e
                               where e.app_id = u.app_id
                                 and e.user_id = case when u.author like 'user:%' then substr(u.author, 6)::bigint end)
                 then '${ERASED_AUTHOR}' else author end,
            group_id, string_to_array(channels, ','), string_to_array(targets, ',')::bigint[],
            string_to_array(sent, ',')::bigint[], string_to_array(received, ',')::bigint[],
            string_to_array(clicked, ',')::bigint[]
       from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
                   $9::text[])
            as u (task_id, app_id, author, group_id, channels, targets, sent, received, clicked)
      order by 1
     on conflict do nothing`,
    [
      tasks.map(({ taskId }) => taskId),
      tasks.map(({ appId }) => appId),
      tasks.map(({ author }) => author),
      tasks.map(({ groupId }) => groupId),
      ...(['channel', 'target', 'sent', 'received', 'clicked'] as const).map(joined),
    ],
  );
}

/** Adds up the counts of each channel from several databases. */
function foldChannels(counts: readonly ChannelCounts[]): ChannelCounts[] {
  return [...Map.groupBy(counts, ({ channel }) => channel).values()].map((sameChannel) =>
    sameChannel.reduce((a, b) => ({
      taskId: a.taskId,
      channel: a.channel,
      target: a.target + b.target,
      sent: a.sent + b.sent,
      received: a.received + b.received,
      clicked: a.clicked + b.clicked,
    })),
  );
}

/** Returns the final counts of those tasks that the caller can see and whose day is dropped or about to be dropped. */
export async function findFinalCounts(
  db: HomeDb,
  appId: string,
  sight: TaskVisibility,
  taskIds: readonly bigint[],
): Promise<{ taskId: bigint; counts: ChannelCounts[] }[]> {
  const rows = await db.queryPrepared<{
    taskId: bigint;
    channels: ChannelCounts['channel'][];
    targets: bigint[];
    sent: bigint[];
    received: bigint[];
    clicked: bigint[] | null;
  }>(
    `select f.task_id as "taskId", f.channels, f.targets, f.sent, f.received, f.clicked
       from final_counts f
      where f.task_id = any($1) and f.app_id = $2
        and ($3::text is null or f.author = $3) and ($4::bigint is null or f.group_id = $4)`,
    [taskIds, appId, ...sightValues(sight)],
  );
  return rows.map(({ taskId, channels, targets, sent, received, clicked }) => ({
    taskId,
    counts: channels.map((channel, i) => ({
      taskId,
      channel,
      target: targets[i] as bigint,
      sent: sent[i] as bigint,
      received: received[i] as bigint,
      clicked: clicked?.[i] ?? 0n,
    })),
  }));
}

/**
 * Deletes up to `limit` final counts of tasks before the given time. Keeps the counts of days that still exist, because
 * the tasks of these days would be counted again. Returns the number of deleted rows.
 */
export async function deleteOldFinalCounts(db: HomeDb, before: Date, limit: number): Promise<number> {
  const deleted = await db.query(
    `delete from final_counts
      where task_id in (select f.task_id
                          from final_counts f
                         where f.task_id < least($1::bigint, (select min(task_id) from tasks))
                         order by f.task_id
                         limit $2
                           for update skip locked)
      returning 1`,
    [firstTaskIdAt(before), limit],
  );
  return deleted.length;
}
