import type { SliceKey } from '#src/domain/slice.ts';
import type { TaskRange, WorkKind } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { type DueTable, OPEN_CONDITION } from './open-condition.ts';

/** A failure of a claimed row that was processed alone. */
export interface Failure {
  readonly error: string;
  /** The pauses after the first failures. A failure without a pause quarantines the row. */
  readonly pausesSeconds: readonly number[];
}

/**
 * The changes of a failed row. Its holder loses the claim, so that delayed writes of the failed attempt have no effect.
 * $1 is the error, and $2 are the pauses. The due time `infinity` quarantines the row.
 */
const FAILED = `
  epoch = epoch + 1, failures = coalesce(failures, 0) + 1, failure = $1, failed_at = now(),
  next_at = coalesce(now() + ($2::float8[])[coalesce(failures, 0) + 1] * interval '1 s', 'infinity')`;

/** Returns the number of failures, or undefined if the worker no longer holds the row. */
type FailureCount = Promise<number | undefined>;

export async function recordTaskFailure(
  db: HomeDb,
  claim: { readonly taskId: bigint; readonly epoch: number },
  { error, pausesSeconds }: Failure,
): FailureCount {
  const [row] = await db.query<{ failures: number }>(
    `update tasks set ${FAILED} where task_id = $3 and epoch = $4 and state = 'accepted' returning failures`,
    [error, pausesSeconds, claim.taskId, claim.epoch],
  );
  return row?.failures;
}

export async function recordExpansionFailure(
  db: ShardDb,
  claim: { readonly taskId: bigint; readonly bucket: number; readonly afterId: bigint; readonly epoch: number },
  { error, pausesSeconds }: Failure,
): FailureCount {
  const [row] = await db.query<{ failures: number }>(
    `update expansions set ${FAILED}, state = 'ready'
      where task_id = $3 and bucket = $4 and after_id = $5 and epoch = $6 and state = 'leased'
      returning failures`,
    [error, pausesSeconds, claim.taskId, claim.bucket, claim.afterId, claim.epoch],
  );
  return row?.failures;
}

export async function recordSliceFailure(
  db: ShardDb,
  claim: SliceKey & { readonly epoch: number },
  { error, pausesSeconds }: Failure,
): FailureCount {
  const [row] = await db.query<{ failures: number }>(
    `update slices set ${FAILED}, state = 'ready'
      where task_id = $3 and bucket = $4 and slice = $5 and epoch = $6 and state = 'leased'
      returning failures`,
    [error, pausesSeconds, claim.taskId, claim.bucket, claim.sliceNumber, claim.epoch],
  );
  return row?.failures;
}

/** A condition on the rows of a table that are quarantined. The indexes of due work support it. */
export const quarantined = (table: DueTable): string => `${OPEN_CONDITION[table]} and next_at = 'infinity'`;

/** The quarantined rows of a task in one table. */
export interface QuarantinedWork {
  readonly taskId: bigint;
  readonly kind: WorkKind;
  readonly rows: number;
  /** The error of the last failure, and its time. */
  readonly error: string;
  readonly failedAt: Date;
}

/** Returns quarantined work of an app, by task, starting with the tasks that failed last. */
export async function findQuarantined(
  db: HomeDb | ShardDb,
  table: DueTable,
  appId: string,
  taskRange: TaskRange,
  limit: number,
): Promise<QuarantinedWork[]> {
  return db.query<QuarantinedWork>(
    `select task_id as "taskId", '${table}' as kind, count(*)::int as rows,
            (array_agg(coalesce(failure, '') order by failed_at desc))[1] as error, max(failed_at) as "failedAt"
       from ${table}
      where ${quarantined(table)} and lane = any(array['prompt', 'bulk']) and app_id = $1 and task_id between $2 and $3
      group by task_id
      order by max(failed_at) desc
      limit $4`,
    [appId, ...taskRange, limit],
  );
}

/**
 * Makes the quarantined rows of a task in one table due. They keep one failure, so that workers still process them
 * alone. Returns the number of rows.
 */
export async function retryQuarantined(db: HomeDb | ShardDb, table: DueTable, taskId: bigint): Promise<number> {
  const rows = await db.query(
    `update ${table} set next_at = now(), failures = 1 where ${quarantined(table)} and task_id = $1 returning 1`,
    [taskId],
  );
  return rows.length;
}
