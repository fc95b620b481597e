import type { TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { type DueTable, OPEN_CONDITION } from './open-condition.ts';

/**
 * The number of items that this worker is processing, by app. Work is claimed from these apps, starting with the app
 * that has the fewest items.
 */
export type InFlightByApp = ReadonlyMap<string, number>;

/** Maximum number of apps that a query scans. At most `APPS_MAX` of them are returned to a worker. */
const APPS_SCANNED_MAX = 512;
const APPS_MAX = 64;

/**
 * Returns apps that have due work, or a random selection if there are more than `APPS_MAX`. The query does one index
 * lookup per app instead of reading every row.
 */
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

/** The `due` query of a claim: locked rows with their key columns, in the order of `turn, next_at`. */
export interface DueRows {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Returns the query for the rows of a claim. Without turns, it selects the rows that have been due the longest. With
 * turns, it selects the rows of each app that have been due the longest and alternates between the apps.
 * `firstParameter` is the number of the first free parameter. $1 is the lane, $2 the limit, and $3 and $4 are the range
 * of task IDs.
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
  // Reads more rows of each app than its share, because other apps may have fewer.
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
