import type { HomeDb } from '../database/database.ts';

/** The ceilings by their names in the code. The values are the names of the columns and of the fields of the API. */
export const ceilingColumns = {
  notifyPerSecond: 'notify_per_second',
  openTasks: 'open_tasks',
  users: 'users',
  devices: 'devices',
  storedBytes: 'stored_bytes',
  sessions: 'sessions',
} as const;

export type CeilingName = keyof typeof ceilingColumns;
export const ceilingNames = Object.keys(ceilingColumns) as CeilingName[];

/** The ceilings of an app, which only the operator of the installation sets. 0 means no ceiling. */
export type Ceilings = Readonly<Record<CeilingName, number>>;

/** Ceilings that are compared with a count. The rate is not counted. */
export type CountedCeiling = Exclude<CeilingName, 'notifyPerSecond'>;
export const countedCeilings = ceilingNames.filter((name): name is CountedCeiling => name !== 'notifyPerSecond');

/** The usage of an app, according to counts that are refreshed in the background. */
export type Usage = Readonly<Record<CountedCeiling, number>>;

export interface AppLimits {
  readonly appId: string;
  readonly ceilings: Ceilings;
  readonly usage: Usage;
}

/** Returns whether an app has reached a ceiling. */
export const isReached = (ceiling: number, used: number): boolean => ceiling > 0 && used >= ceiling;

/** Space of a waiting notification with its index entries, in bytes. The message is counted once, with its task. */
const INBOX_ROW_BYTES = 200;

/** Gateways report their sessions every `CARILLON_USAGE_COUNT_SECONDS`. After three missed reports, they count as stopped. */
const REPORTS_MISSED_MAX = 3;

/** The report of a gateway is recent. `$1` is `CARILLON_USAGE_COUNT_SECONDS`. */
const IS_RECENT = `at > now() - ${REPORTS_MISSED_MAX} * $1 * interval '1 s'`;

/** The settings that the ceilings of an app depend on. */
export interface CeilingDefaults {
  readonly ceilings: Ceilings;
  readonly countSeconds: number;
}

/** Returns the ceilings and the usage of these apps, or of all apps. */
export async function readAppLimits(
  db: HomeDb,
  { ceilings, countSeconds }: CeilingDefaults,
  appIds: readonly string[] | null,
): Promise<AppLimits[]> {
  const rows = await db.query<{ appId: string; ceilings: (number | null)[]; usage: number[] }>(
    `select a.app_id as "appId",
            array[${ceilingNames.map((name) => `c.${ceilingColumns[name]}`).join(', ')}]::float8[] as ceilings,
            array[coalesce(u.open_tasks, 0), coalesce(u.users, 0), coalesce(u.devices, 0),
                  coalesce(stored.bytes, 0) + coalesce(u.inbox_rows, 0) * ${INBOX_ROW_BYTES},
                  coalesce(connected.sessions, 0)]::float8[] as usage
       from apps a
       left join app_ceilings c on c.app_id = a.app_id
       left join app_usage u on u.app_id = a.app_id
       left join lateral (select sum(bytes) as bytes from stored_bytes where app_id = a.app_id) stored on true
       left join lateral (select sum(sessions) as sessions from app_sessions
                           where app_id = a.app_id and ${IS_RECENT}) connected on true
      ${appIds === null ? '' : 'where a.app_id = any($2)'}
      order by a.app_id`,
    appIds === null ? [countSeconds] : [countSeconds, appIds],
  );
  return rows.map((row) => ({
    appId: row.appId,
    ceilings: toRecord(ceilingNames, (name, i) => row.ceilings[i] ?? ceilings[name]),
    usage: toRecord(countedCeilings, (_, i) => Math.max(row.usage[i] ?? 0, 0)),
  }));
}

function toRecord<N extends string>(
  names: readonly N[],
  valueFor: (name: N, i: number) => number,
): Readonly<Record<N, number>> {
  return Object.fromEntries(names.map((name, i) => [name, valueFor(name, i)])) as Record<N, number>;
}

/**
 * Sets the given ceilings. Null restores the default of the settings. Returns false if the app does not exist.
 */
export async function setCeilings(
  db: HomeDb,
  appId: string,
  changes: Readonly<Partial<Record<CeilingName, number | null>>>,
): Promise<boolean> {
  const entries = Object.entries(changes) as [CeilingName, number | null][];
  const columns = entries.map(([name]) => ceilingColumns[name]);
  const rows = await db.query(
    `insert into app_ceilings (app_id${columns.map((column) => `, ${column}`).join('')})
     select app_id${columns.map((_, i) => `, $${i + 2}::bigint`).join('')} from apps where app_id = $1
     on conflict (app_id) do update
        set ${['app_id', ...columns].map((column) => `${column} = excluded.${column}`).join(', ')}
     returning app_id`,
    [appId, ...entries.map(([, value]) => value)],
  );
  return rows.length > 0;
}

/** A change of the usage of an app. `bytes` are those of the tasks of the day. */
export interface UsageChange {
  readonly appId: string;
  readonly day: number;
  readonly openTasks: number;
  readonly users: number;
  readonly devices: number;
  readonly inboxRows: number;
  readonly bytes: number;
}

/** Changes the usage of apps. There can be one change per app and day. */
export async function addUsage(db: HomeDb, changes: readonly UsageChange[]): Promise<void> {
  await db.query(
    `with added as (
       select * from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
                     as a (app_id, day, open_tasks, users, devices, inbox_rows, bytes)
     ), stored as (
       insert into stored_bytes as s (app_id, day, bytes)
       select app_id, day, bytes from added where bytes > 0 order by 1, 2
       on conflict (app_id, day) do update set bytes = s.bytes + excluded.bytes
     )
     insert into app_usage as u (app_id, open_tasks, users, devices, inbox_rows)
     select app_id, sum(open_tasks), sum(users), sum(devices), sum(inbox_rows) from added group by 1 order by 1
     on conflict (app_id) do update
        set open_tasks = u.open_tasks + excluded.open_tasks, users = u.users + excluded.users,
            devices = u.devices + excluded.devices, inbox_rows = u.inbox_rows + excluded.inbox_rows`,
    [
      changes.map(({ appId }) => appId),
      changes.map(({ day }) => day),
      changes.map(({ openTasks }) => openTasks),
      changes.map(({ users }) => users),
      changes.map(({ devices }) => devices),
      changes.map(({ inboxRows }) => inboxRows),
      changes.map(({ bytes }) => bytes),
    ],
  );
}

/** Deletes the bytes of a day whose tasks were dropped. */
export async function deleteStoredBytes(db: HomeDb, day: number): Promise<void> {
  await db.query(
    `delete from stored_bytes
      where (app_id, day) in (select app_id, day from stored_bytes where day = $1 order by app_id for update)`,
    [day],
  );
}

/** The sessions of an app on the other gateways, and its ceiling. Null means the default of the settings. */
export interface SessionsElsewhere {
  readonly appId: string;
  readonly sessions: number;
  readonly ceiling: number | null;
}

/** Reports the sessions of a gateway. Reports of gateways that have stopped are deleted after an hour. */
export async function reportSessions(db: HomeDb, gateway: string, byApp: ReadonlyMap<string, number>): Promise<void> {
  await db.query(
    `with mine as (
       select * from unnest($2::text[], $3::int[]) as m (app_id, sessions)
     ), gone as (
       delete from app_sessions
        where (app_id, gateway) in (select s.app_id, s.gateway from app_sessions s
                                     where (s.gateway = $1 and s.app_id not in (select app_id from mine))
                                        or s.at < now() - interval '1 hour'
                                       for update skip locked)
     )
     insert into app_sessions as s (app_id, gateway, sessions, at)
     select app_id, $1, sessions, now() from mine order by app_id
     on conflict (app_id, gateway) do update set sessions = excluded.sessions, at = excluded.at`,
    [gateway, [...byApp.keys()], [...byApp.values()]],
  );
}

/** Returns the apps that have sessions on other gateways or a ceiling that is not the default. */
export async function readSessionsElsewhere(
  db: HomeDb,
  gateway: string,
  countSeconds: number,
): Promise<SessionsElsewhere[]> {
  return db.query<SessionsElsewhere>(
    `select app_id as "appId", coalesce(s.sessions, 0)::float8 as sessions, c.sessions::float8 as ceiling
       from (select app_id, sum(sessions) as sessions from app_sessions
              where gateway <> $2 and ${IS_RECENT}
              group by app_id) s
       full join (select app_id, sessions from app_ceilings where sessions is not null) c using (app_id)`,
    [countSeconds, gateway],
  );
}
