import type { VendorName } from '#src/domain/channel.ts';
import type { Lane, TaskRange } from '#src/domain/task.ts';
import type { TrippedBreaker } from '#src/domain/vendor-account/breaker.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';
import { quarantined } from '../ledger/failed-work.ts';
import { type DueTable, OPEN_CONDITION } from '../ledger/open-condition.ts';

/** The work of a lane that waits in one table. */
export interface Backlog {
  readonly table: DueTable;
  readonly lane: Lane;
  /** How long the oldest unclaimed row has been due. */
  readonly seconds: number;
  /** The number of quarantined rows. */
  readonly quarantined: number;
}

export async function readBacklog(db: HomeDb | ShardDb, table: DueTable, taskRange: TaskRange): Promise<Backlog[]> {
  // Uses the index of due rows, and reads one row per lane per day and the quarantined rows, which are few. The query
  // takes a few milliseconds, regardless of the number of other rows.
  return db.query(
    `select '${table}' as table, lanes.lane,
            coalesce(extract(epoch from now() - oldest.next_at), 0)::float8 as seconds,
            (select count(*) from ${table}
              where ${quarantined(table)} and lane = lanes.lane and task_id between $1 and $2)::int as quarantined
       from unnest(array['prompt', 'bulk']) as lanes (lane)
       left join lateral (select next_at from ${table}
                           where ${OPEN_CONDITION[table]} and lane = lanes.lane and next_at <= now()
                             and task_id between $1 and $2
                           order by next_at
                           limit 1) as oldest on true`,
    taskRange,
  );
}

/** Counts the tripped circuit breakers of the credentials in use, by channel and cause. */
export async function countTrippedBreakers(
  db: HomeDb,
): Promise<(Pick<TrippedBreaker, 'channel' | 'cause'> & { count: number })[]> {
  return db.query(
    `select channel, cause, count(*)::int as count
       from breakers join certificates using (app_id, channel, environment, version)
      group by 1, 2`,
  );
}

/** Counts the exhausted quotas, by channel. */
export async function countExhaustedQuotas(db: HomeDb): Promise<{ channel: VendorName; count: number }[]> {
  return db.query('select channel, count(*)::int as count from quotas where spent_until > now() group by 1');
}

/**
 * Estimates the number of notifications in the inboxes of this database. The duration of an exact count grows with the
 * number of notifications.
 */
export async function estimateInboxSize(db: ShardDb): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select pg_stat_get_live_tuples('inbox'::regclass)::float8 as count`);
  return row?.count ?? 0;
}
