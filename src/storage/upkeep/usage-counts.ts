import type { TaskRange } from '#src/domain/task.ts';
import type { HomeDb, ShardDb } from '../database/database.ts';

/** The usage of apps is counted page by page, so that no statement takes long. */
const ROWS_PER_PAGE = 50_000;
const INT64_MIN = -(2n ** 63n);

export type CountByApp = Map<string, number>;

/** Counts the tasks of each app that are neither finished nor cancelled. An index contains only these tasks. */
export async function countOpenTasks(db: HomeDb, [from, to]: TaskRange): Promise<CountByApp> {
  const rows = await db.query<{ appId: string; count: number }>(
    `select app_id as "appId", count(*)::float8 as count
       from tasks
      where state <> 'finished' and cancelled_at is null and task_id between $1 and $2
      group by app_id`,
    [from, to],
  );
  return new Map(rows.map(({ appId, count }) => [appId, count]));
}

/**
 * Counts the open tasks of one app, up to `limit`, and records the result. A task can end at any time, so an app is
 * refused only after this count.
 */
export async function recountOpenTasks(db: HomeDb, appId: string, limit: number, range: TaskRange): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with counted as (
       select count(*) as count
         from (select from tasks
                where app_id = $1 and state <> 'finished' and cancelled_at is null and task_id between $3 and $4
                limit $2) as open
     )
     insert into app_usage as u (app_id, open_tasks) select $1, count from counted
     on conflict (app_id) do update set open_tasks = excluded.open_tasks
     returning open_tasks::float8 as count`,
    [appId, limit, ...range],
  );
  return row?.count ?? 0;
}

/** Counts the users of each app. */
export async function countUsers(db: HomeDb): Promise<CountByApp> {
  const counts: CountByApp = new Map();
  for (let after: { appId: string; lastId: bigint } | undefined = { appId: '', lastId: INT64_MIN }; after; ) {
    const rows: UserPage[] = await db.query<UserPage>(
      `select app_id as "appId", count(*)::int as count, max(user_id) as "lastId"
         from (select app_id, user_id from users
                where (app_id, user_id) > ($1, $2::bigint)
                order by app_id, user_id
                limit ${ROWS_PER_PAGE}) as page
        group by app_id
        order by app_id`,
      [after.appId, after.lastId],
    );
    after = addPage(counts, rows);
  }
  return counts;
}

interface UserPage {
  readonly appId: string;
  readonly count: number;
  readonly lastId: bigint;
}

/** Counts the devices of each app in this database, with or without a user. */
export async function countDevices(db: ShardDb): Promise<CountByApp> {
  const counts: CountByApp = new Map();
  for (let after: DevicePageEnd | undefined = { appId: '', last: [-1n, INT64_MIN] }; after; ) {
    const rows: DevicePage[] = await db.query<DevicePage>(
      `select app_id as "appId", count(*)::int as count, max(array[bucket, device_id]) as last
         from (select app_id, bucket::bigint as bucket, device_id from devices
                where (app_id, bucket, device_id) > ($1, $2::smallint, $3::bigint)
                order by app_id, devices.bucket, device_id
                limit ${ROWS_PER_PAGE}) as page
        group by app_id
        order by app_id`,
      [after.appId, ...after.last],
    );
    after = addPage(counts, rows);
  }
  return counts;
}

interface DevicePageEnd {
  readonly appId: string;
  /** The bucket and the ID of the last device of the app in the page. */
  readonly last: readonly bigint[];
}

interface DevicePage extends DevicePageEnd {
  readonly count: number;
}

/** Adds a page to the counts. Returns its last row, or undefined if it is the last page. */
function addPage<P extends { appId: string; count: number }>(counts: CountByApp, rows: readonly P[]): P | undefined {
  for (const { appId, count } of rows) counts.set(appId, (counts.get(appId) ?? 0) + count);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return total === ROWS_PER_PAGE ? rows.at(-1) : undefined;
}

/** Percentage of the inbox that is read: all of it, or about 40 MB of a larger one. */
const SAMPLE_PERCENT = `least(100, 100.0 * 40e6 / greatest(pg_relation_size('inbox'), 1))`;

/**
 * Counts the notifications of each app that wait in the inboxes of this database. A larger inbox is estimated from a
 * sample, because it can have many more rows than devices, and no index is ordered by app.
 */
export async function estimateInboxRows(db: ShardDb): Promise<CountByApp> {
  const rows = await db.query<{ appId: string; count: number }>(
    `select app_id as "appId", round(count(*) * 100 / ${SAMPLE_PERCENT})::float8 as count
       from inbox tablesample system (${SAMPLE_PERCENT})
      group by app_id`,
  );
  return new Map(rows.map(({ appId, count }) => [appId, count]));
}

/** The counts of an app as they are recorded. */
export interface RecordedUsage {
  readonly appId: string;
  readonly openTasks: number;
  readonly users: number;
  readonly devices: number;
  readonly inboxRows: number;
}

export async function readRecordedUsage(db: HomeDb): Promise<RecordedUsage[]> {
  return db.query<RecordedUsage>(
    `select app_id as "appId", open_tasks::float8 as "openTasks", users::float8 as users, devices::float8 as devices,
            inbox_rows::float8 as "inboxRows"
       from app_usage`,
  );
}
