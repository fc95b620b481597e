import { BUCKETS } from '#src/domain/bucket.ts';
import {
  audiencePatterns,
  auditPatterns,
  ERASED_AUTHOR,
  ERASED_MESSAGE,
  type UserNames,
} from '#src/domain/erasure/user-names.ts';
import type { TaskRange } from '#src/domain/task.ts';
import type { HomeDb } from '../database/database.ts';

/** Rows about a user that have no key of the user: tasks, drafts, final counts, idempotency keys and audit entries. */

/** Maximum number of rows that a statement examines. A task can have an audience of 100 KB. */
const TASKS_PER_PAGE = 1_000;
const ROWS_PER_PAGE = 10_000;

/** The rows of the user on a page of examined rows. */
export interface UserPage<T> {
  readonly rows: readonly T[];
  /** The last examined ID. */
  readonly last: bigint;
  readonly isLastPage: boolean;
}

/** A task that may name the user. */
export interface UserTask {
  readonly taskId: bigint;
  readonly author: string;
  readonly audienceText: string;
  readonly messageText: string;
  readonly finished: boolean;
  readonly acceptedAt: Date;
  readonly dueAt: Date;
  /** The idempotency key, if the user is the author. */
  readonly requestId: string | null;
}

export const authorOfUser = (userId: bigint): string => `user:${userId}`;

/** Returns the tasks of an app after `after` that a user wrote, or whose audience may name the user. */
export async function findUserTasks(
  db: HomeDb,
  appId: string,
  user: UserNames,
  after: bigint,
): Promise<UserPage<UserTask>> {
  const page = await findPage(db, 'tasks', 'task_id', { appId, after, limit: TASKS_PER_PAGE });
  const patterns = audiencePatterns(user);
  const range: TaskRange = [after + 1n, page.last];
  const rows = await db.query<UserTask>(
    `select t.task_id as "taskId", t.author, t.audience as "audienceText", t.message as "messageText",
            t.state = 'finished' as finished, t.accepted_at as "acceptedAt", t.due_at as "dueAt",
            (select k.request_id from request_keys k
              where k.app_id = t.app_id and k.bucket = (t.task_id & ${BUCKETS - 1})::smallint and k.author = $4
                and t.author = $4 and k.task_id = t.task_id) as "requestId"
       from tasks t
      where t.app_id = $1 and t.task_id between $2 and $3
        and (t.author = $4 or t.audience ~ $5
             or exists (select from unnest($6::text[]) as p (text) where position(p.text in t.audience) > 0))
      order by t.task_id`,
    [appId, ...range, authorOfUser(user.userId), patterns.userId, patterns.texts],
  );
  return { rows, ...page };
}

/** The new content of a task. The message is absent if other users received it. */
export interface ErasedTask {
  readonly task: UserTask;
  readonly audienceText: string;
  readonly erasesAuthor: boolean;
  readonly erasesMessage: boolean;
}

/** Removes a user from a task. Returns false if the task has changed since it was read. */
export async function eraseTask(
  db: HomeDb,
  { task, audienceText, erasesAuthor, erasesMessage }: ErasedTask,
): Promise<boolean> {
  const rows = await db.query(
    `update tasks
        set author = case when $4 then '${ERASED_AUTHOR}' else author end, audience = $3,
            message = case when $5 then '${ERASED_MESSAGE}' else message end,
            token_kind = case when $4 then null else token_kind end,
            token_id = case when $4 then null else token_id end
      where task_id = $1 and audience = $2 and (state = 'finished' or not $5)
      returning task_id`,
    [task.taskId, task.audienceText, audienceText, erasesAuthor, erasesMessage],
  );
  return rows.length > 0;
}

/** A draft that may name the user. */
export interface UserDraft {
  readonly draftId: bigint;
  readonly author: string;
  /** The request of `/push/notify` as JSON. */
  readonly bodyText: string;
  readonly createdAt: Date;
}

/** Returns the drafts of an app after `after` that a user wrote, or whose request may name the user. */
export async function findUserDrafts(
  db: HomeDb,
  appId: string,
  user: UserNames,
  after: bigint,
): Promise<UserPage<UserDraft>> {
  const page = await findPage(db, 'drafts', 'draft_id', { appId, after, limit: TASKS_PER_PAGE });
  const patterns = audiencePatterns(user);
  const rows = await db.query<UserDraft>(
    `select draft_id as "draftId", author, body as "bodyText", created_at as "createdAt"
       from drafts
      where app_id = $1 and draft_id between $2 and $3
        and (author = $4 or body ~ $5
             or exists (select from unnest($6::text[]) as p (text) where position(p.text in body) > 0))
      order by draft_id`,
    [appId, after + 1n, page.last, authorOfUser(user.userId), patterns.userId, patterns.texts],
  );
  return { rows, ...page };
}

/** Deletes a draft, or replaces its request. */
export async function eraseDraft(db: HomeDb, draftId: bigint, newBodyText: string | null): Promise<void> {
  if (newBodyText === null) await db.query('delete from drafts where draft_id = $1', [draftId]);
  else await db.query('update drafts set body = $2 where draft_id = $1', [draftId, newBodyText]);
}

/** The counters of a task that the user sent and whose day was dropped. */
export interface UserCounts {
  readonly taskId: bigint;
  readonly channels: readonly string[];
  readonly targets: readonly bigint[];
  readonly sent: readonly bigint[];
  readonly received: readonly bigint[];
}

export async function findUserCounts(
  db: HomeDb,
  appId: string,
  userId: bigint,
  after: bigint,
): Promise<UserPage<UserCounts>> {
  const page = await findPage(db, 'final_counts', 'task_id', { appId: null, after, limit: ROWS_PER_PAGE });
  const rows = await db.query<UserCounts>(
    `select task_id as "taskId", channels, targets, sent, received
       from final_counts
      where task_id between $3 and $4 and app_id = $1 and author = $2
      order by task_id`,
    [appId, authorOfUser(userId), after + 1n, page.last],
  );
  return { rows, ...page };
}

export async function eraseCounts(db: HomeDb, counts: readonly UserCounts[]): Promise<void> {
  if (counts.length === 0) return;
  const taskIds = counts.map(({ taskId }) => taskId);
  await db.query(`update final_counts set author = '${ERASED_AUTHOR}' where task_id = any($1)`, [taskIds]);
}

/** An audit entry about the user. */
export interface UserAuditEntry {
  readonly auditId: bigint;
  readonly at: Date;
  readonly operation: string;
  readonly detail: string;
}

export async function findUserAuditEntries(
  db: HomeDb,
  appId: string,
  user: UserNames,
  after: bigint,
): Promise<UserPage<UserAuditEntry>> {
  const page = await findPage(db, 'audit', 'audit_id', { appId, after, limit: ROWS_PER_PAGE });
  const rows = await db.query<UserAuditEntry>(
    `select audit_id as "auditId", at, operation, detail
       from audit
      where app_id = $1 and audit_id between $2 and $3
        and exists (select from unnest($4::text[]) as p (text) where position(p.text in detail) > 0)
      order by audit_id`,
    [appId, after + 1n, page.last, auditPatterns(user)],
  );
  return { rows, ...page };
}

/**
 * Deletes up to `limit` idempotency keys of a user, who cannot repeat a request any more. Returns the number of deleted
 * rows.
 */
export async function deleteUserRequestKeys(db: HomeDb, appId: string, userId: bigint, limit: number): Promise<number> {
  const deleted = await db.query(
    `with gone as (
       select bucket, request_id
         from request_keys
        where app_id = $1 and bucket = any(array(select generate_series(0, ${BUCKETS - 1})::smallint)) and author = $2
        order by bucket, request_id
        limit $3
          for update
     )
     delete from request_keys k using gone g
      where k.app_id = $1 and k.bucket = g.bucket and k.author = $2 and k.request_id = g.request_id
      returning 1`,
    [appId, authorOfUser(userId), limit],
  );
  return deleted.length;
}

/** Finds the next `limit` rows to examine. */
async function findPage(
  db: HomeDb,
  table: 'tasks' | 'drafts' | 'final_counts' | 'audit',
  column: 'task_id' | 'draft_id' | 'audit_id',
  { appId, after, limit }: { readonly appId: string | null; readonly after: bigint; readonly limit: number },
): Promise<{ readonly last: bigint; readonly isLastPage: boolean }> {
  const [row] = await db.query<{ last: bigint | null; rows: number }>(
    `select max(id) as last, count(*)::int as rows
       from (select ${column} as id from ${table}
              where ${column} > $1 ${appId === null ? '' : 'and app_id = $3'}
              order by ${column}
              limit $2) as page`,
    appId === null ? [after, limit] : [after, limit, appId],
  );
  return { last: row?.last ?? after, isLastPage: (row?.rows ?? 0) < limit };
}
