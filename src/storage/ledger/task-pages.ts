import type { TaskVisibility } from '#src/domain/caller.ts';
import type { HomeDb } from '../database/database.ts';

export interface ListedTask {
  readonly taskId: bigint;
  readonly state: 'accepted' | 'planned' | 'finished';
  readonly cancelled: boolean;
  readonly due: boolean;
  readonly author: string;
  /** Null if a version without this record accepted the task. */
  readonly tokenKind: 'admin' | 'user' | null;
  readonly tokenId: bigint | null;
  readonly tokenParent: bigint | null;
  readonly audienceKind: string;
  readonly messageText: string;
  readonly acceptedAt: Date;
  readonly dueAt: Date;
  readonly notAfter: Date;
}

/** Returns the tasks before `before` that a caller can see, the latest first. */
export async function findTaskPage(
  db: HomeDb,
  appId: string,
  sight: TaskVisibility,
  before: bigint | null,
  limit: number,
): Promise<ListedTask[]> {
  const [clause, ...values] = sightClause(sight);
  return db.query<ListedTask>(
    `select task_id as "taskId", state, cancelled_at is not null as cancelled, due_at <= now() as due, author,
            token_kind as "tokenKind", token_id as "tokenId", token_parent as "tokenParent",
            coalesce(substring(audience from '"kind":"(\\w+)"'), '') as "audienceKind", message as "messageText",
            accepted_at as "acceptedAt", due_at as "dueAt", not_after as "notAfter"
       from tasks
      where app_id = $1 and ($2::bigint is null or task_id < $2) and ${clause}
      order by task_id desc
      limit $3`,
    [appId, before, limit, ...values],
  );
}

/**
 * Returns the caller's visibility as a condition that an index supports, so that a caller with few tasks does not scan
 * all of them.
 */
function sightClause(sight: TaskVisibility): [clause: string, ...values: unknown[]] {
  switch (sight.kind) {
    case 'app':
      return ['true'];
    case 'group':
      return ['group_id = $4', sight.groupId];
    case 'author':
      return [`author = $4 and author <> 'admin'`, sight.author];
  }
}
