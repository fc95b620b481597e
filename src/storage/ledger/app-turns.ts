import type { TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { type DueTable, OPEN_CONDITION } from './open-condition.ts';

/** What this worker has in hand, by app. Of these apps work is taken, beginning with the one that has the least. */
export type InFlightByApp = ReadonlyMap<string, number>;

/** More apps than that are walked through in no question, and of so many at most one takes work. */
const APPS_SCANNED_MAX = 512;
const APPS_MAX = 64;

/** Apps that have work due; some of them, if they are very many. Goes from app to app, not from row to row. */
export async function findDueApps(
  db: HomeDb | ShardDb,
  table: DueTable,
  lane: string,
  taskRange: TaskRange,
): Promise<string[]> {
  const condition = `${OPEN_CONDITION[table]} and lane = $1 and task_id between $2 and $3`;
  const rows = await db.query<{ appId: string }>(
    `with recursive apps (app_id, number) as (
       (select app_id, 1 from ${table} where ${condition} order by app_id limit 1)
       union all
       select next.app_id, apps.number + 1
         from apps,
              lateral (select app_id from ${table} where ${condition} and app_id > apps.app_id order by app_id limit 1) as next
        where apps.number < ${APPS_SCANNED_MAX}
     )
     select app_id as "appId"
       from apps
      where exists (select from ${table} where ${condition} and app_id = apps.app_id and next_at <= now())
      order by random()
      limit ${APPS_MAX}`,
    [lane, ...taskRange],
  );
  return rows.map(({ appId }) => appId);
}

/** A claim's `due`: rows that are locked for it, with their key columns, in the order of `turn, next_at`. */
export interface DueRows {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The rows that a claim takes. Without turns, what has been due the longest. With turns, of each app what has been due the
 * longest, one app after the other. `first` is the number of the first free parameter; $1 is the lane, $2 the limit, and
 * $3 and $4 the range of task ids.
 */
export function dueRows(
  table: DueTable,
  columns: string,
  claim: { readonly limit: number; readonly turns: InFlightByApp | null },
  firstParameter: number,
): DueRows {
  const condition = `${OPEN_CONDITION[table]} and lane = $1 and next_at <= now() and task_id between $3 and $4`;
  if (!claim.turns)
    return {
      text: `select ${columns}, next_at, 0 as turn from ${table} where ${condition} order by next_at limit $2 for update skip locked`,
      values: [],
    };
  // A few more of each than its share, in case others have less.
  const rowsPerApp = Math.min(claim.limit, Math.max(4, Math.ceil((2 * claim.limit) / claim.turns.size)));
  return {
    text: `
      select own.*
        from unnest($${firstParameter}::text[], $${firstParameter + 1}::int[]) as app (app_id, in_hand),
             lateral (select locked.*, app.in_hand + row_number() over (order by next_at) as turn
                        from (select ${columns}, next_at
                                from ${table}
                               where ${condition} and app_id = app.app_id
                               order by next_at
                               limit $${firstParameter + 2}
                                 for update skip locked) as locked) as own
       order by turn, next_at
       limit $2`,
    values: [[...claim.turns.keys()], [...claim.turns.values()], rowsPerApp],
  };
}
