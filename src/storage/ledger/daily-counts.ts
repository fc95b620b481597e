import pg from 'pg';
import type { Channel } from '#src/domain/channel.ts';
import { type HomeDb, inTransaction, type ShardDb } from '../database/database.ts';
import { partitionOf } from '../database/partitions.ts';

/** The counts of an app on one day and channel, in one database or in all of them. */
export interface ChannelTotals {
  readonly channel: Channel;
  readonly target: bigint;
  readonly sent: bigint;
  readonly received: bigint;
  readonly clicked: bigint;
}

export interface AppTotals extends ChannelTotals {
  readonly appId: string;
}

/** A day of a database, and a number that changes with every write to its slices. Null if the number is unknown. */
export interface DayChanges {
  readonly day: number;
  readonly changes: bigint | null;
}

/**
 * Returns the number of changed rows of each day from PostgreSQL's statistics, without reading a slice. A server can
 * report a change up to a minute late. After a crash, the numbers start again at 0.
 */
export async function findDayChanges(db: ShardDb): Promise<DayChanges[]> {
  return db.query<DayChanges>(
    `select substring(c.relname from '_day_(\\d+)$')::int as day,
            case when current_setting('track_counts')::boolean
                 then pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid)
                      + pg_stat_get_tuples_deleted(c.oid) end as changes
       from pg_inherits i
       join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'slices'::regclass and not i.inhdetachpending
      order by 1`,
  );
}

/**
 * Returns the days that have changed since they were counted, with the current time. If there are none, records that
 * all days of the database are counted.
 */
export async function findDaysToCount(
  db: HomeDb,
  database: string,
  days: readonly DayChanges[],
): Promise<(DayChanges & { readonly now: Date })[]> {
  return db.query<DayChanges & { now: Date }>(
    `with changed as (
       select u.day, u.changes
         from unnest($2::int[], $3::bigint[]) as u (day, changes)
         left join daily_count_days d on d.day = u.day and d.database = $1
        where d.changes is null or u.changes is null or d.changes <> u.changes
     ), checked as (
       insert into daily_count_checks (database, checked_at)
       select $1, now() where not exists (select from changed)
       on conflict (database) do update set checked_at = excluded.checked_at
     )
     select day, changes, now() from changed order by day desc`,
    [database, days.map(({ day }) => day), days.map(({ changes }) => changes)],
  );
}

export async function recordCheck(db: HomeDb, database: string, checkedAt: Date): Promise<void> {
  await db.query(
    `insert into daily_count_checks as c (database, checked_at) values ($1, $2)
     on conflict (database) do update set checked_at = greatest(c.checked_at, excluded.checked_at)`,
    [database, checkedAt],
  );
}

const UNDEFINED_TABLE = '42P01';
/** Number of slices per statement, so that no statement takes long. */
const SLICES_PER_PAGE = 20_000;

/**
 * Counts the slices of a day in one database. Returns undefined if the day was dropped. The table of the day is read
 * instead of `slices`: a day that is detached during the count would otherwise seem to be empty.
 */
export async function countDay(db: ShardDb, day: number): Promise<AppTotals[] | undefined> {
  const totals = new Map<string, AppTotals>();
  try {
    for (let after: readonly bigint[] | undefined = [-1n, -1n, -1n]; after; ) {
      const rows: CountedPage[] = await countPage(db, day, after);
      for (const row of rows) addTotals(totals, row);
      const slices = rows.reduce((sum, { slices }) => sum + slices, 0);
      after = slices < SLICES_PER_PAGE ? undefined : rows.map(({ last }) => last).reduce(laterKey);
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
  return [...totals.values()];
}

interface CountedPage extends AppTotals {
  readonly slices: number;
  /** The task, the bucket and the number of the last slice. */
  readonly last: readonly bigint[];
}

function countPage(db: ShardDb, day: number, after: readonly bigint[]): Promise<CountedPage[]> {
  return db.query<CountedPage>(
    `select app_id as "appId", channel, sum(n)::bigint as target, sum(bit_count(sent))::bigint as sent,
            sum(bit_count(received))::bigint as received, sum(coalesce(bit_count(clicked), 0))::bigint as clicked,
            count(*)::int as slices, max(array[task_id, bucket, slice]) as last
       from (select task_id, bucket::bigint as bucket, slice::bigint as slice, app_id, channel, n, sent, received, clicked
               from ${partitionOf('slices', day).name} s
              where (s.task_id, s.bucket, s.slice) > ($1::bigint, $2::smallint, $3::int)
              order by s.task_id, s.bucket, s.slice
              limit ${SLICES_PER_PAGE}) as page
      group by 1, 2`,
    [...after],
  );
}

function laterKey(a: readonly bigint[], b: readonly bigint[]): readonly bigint[] {
  const i = a.findIndex((value, index) => value !== b[index]);
  return (a[i] ?? 0n) > (b[i] ?? 0n) ? a : b;
}

/** Adds a page to the totals. Devices that no channel can reach are in no counter. */
function addTotals(totals: Map<string, AppTotals>, { slices: _, last: __, ...row }: CountedPage): void {
  if ((row.channel as string) === 'none') return;
  const key = `${row.channel} ${row.appId}`;
  const old = totals.get(key);
  totals.set(key, {
    ...row,
    target: row.target + (old?.target ?? 0n),
    sent: row.sent + (old?.sent ?? 0n),
    received: row.received + (old?.received ?? 0n),
    clicked: row.clicked + (old?.clicked ?? 0n),
  });
}

/**
 * Replaces the counts of a day in one database. Does nothing if a count that started later was written before, because
 * it is more complete.
 */
export function replaceDailyCounts(
  db: HomeDb,
  { database, day, changes, startedAt }: DayChanges & { readonly database: string; readonly startedAt: Date },
  totals: readonly AppTotals[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const written = await tx.query(
      `insert into daily_count_days as d (day, database, changes, counted_at) values ($1, $2, $3, $4)
       on conflict (day, database) do update set changes = excluded.changes, counted_at = excluded.counted_at
        where d.counted_at <= excluded.counted_at
       returning 1`,
      [day, database, changes, startedAt],
    );
    if (written.length === 0) return;
    const column = (key: keyof AppTotals) => totals.map((row) => row[key]);
    await tx.query(
      `with counted as (
         select * from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
                       as u (app_id, channel, target, sent, received, clicked)
       ), removed as (
         -- After a restore, a database can have fewer slices than before.
         delete from daily_counts d
          where d.day = $1 and d.database = $2
            and not exists (select from counted c where c.app_id = d.app_id and c.channel = d.channel)
       )
       insert into daily_counts as d (app_id, day, channel, database, target, sent, received, clicked)
       select app_id, $1, channel, $2, target, sent, received, clicked from counted order by app_id, channel
       on conflict (app_id, day, channel, database) do update
          set target = excluded.target, sent = excluded.sent, received = excluded.received, clicked = excluded.clicked
        where (d.target, d.sent, d.received, d.clicked)
              is distinct from (excluded.target, excluded.sent, excluded.received, excluded.clicked)`,
      [
        ...[day, database, column('appId'), column('channel')],
        ...[column('target'), column('sent'), column('received'), column('clicked')],
      ],
    );
  });
}

export interface DayTotals extends ChannelTotals {
  readonly day: number;
}

/** Returns the counts of an app for each day and channel, in order. */
export async function findDailyCounts(
  db: HomeDb,
  appId: string,
  [first, last]: readonly [number, number],
  channel: Channel | null,
): Promise<DayTotals[]> {
  return db.query<DayTotals>(
    `select day, channel, sum(target)::bigint as target, sum(sent)::bigint as sent, sum(received)::bigint as received,
            sum(clicked)::bigint as clicked
       from daily_counts
      where app_id = $1 and day between $2 and $3 and ($4::text is null or channel = $4)
      group by 1, 2
      order by 1, 2`,
    [appId, first, last, channel],
  );
}

/** Returns the time at which the counts of all these databases were checked, or null if one was never checked. */
export async function findCheckTime(db: HomeDb, databases: readonly string[]): Promise<Date | null> {
  const [row] = await db.query<{ checkedAt: Date | null }>(
    `select case when count(*) = cardinality($1::text[]) then min(checked_at) end as "checkedAt"
       from daily_count_checks
      where database = any($1)`,
    [databases],
  );
  return row?.checkedAt ?? null;
}

/** Deletes up to `limit` counts of days before the given day. Returns the number of deleted rows. */
export async function deleteOldDailyCounts(db: HomeDb, before: number, limit: number): Promise<number> {
  const deleted = await db.query(
    `with days as (
       delete from daily_count_days where day < $1
     )
     delete from daily_counts
      where (app_id, day, channel, database) in (select app_id, day, channel, database
                                                   from daily_counts
                                                  where day < $1
                                                  order by app_id, day, channel, database
                                                  limit $2
                                                    for update skip locked)
      returning 1`,
    [before, limit],
  );
  return deleted.length;
}
