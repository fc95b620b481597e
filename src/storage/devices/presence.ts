import type { ShardDb } from '../database/database.ts';

/** Maximum age of a gateway's last heartbeat, in seconds, for its sessions to count as live. */
export const HEARTBEAT_TIMEOUT_SECONDS = 6;

/** Less than the timeout, because the transaction of a worker may have begun earlier. */
export const LATE_SECONDS = 4;

/** The condition that `sessions s` is the live session of `devices d`. */
export const LIVE_SESSION = `
  s.bucket = d.bucket and s.device_id = d.device_id and s.online and s.generation = d.generation
  and exists (select from gateways g
               where g.gateway = s.gateway and g.epoch = s.epoch
                 and g.heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} s')`;

/**
 * Joins the live session of each of `devices d`, with the gateway that holds it now. `offset 0` forces a lookup by key
 * for each device. These tables fill and empty faster than PostgreSQL updates its statistics. If it assumed that they
 * are empty, it would compare each device with each session.
 */
export const LIVE_SESSION_JOIN = `
  left join lateral (select s.gateway from sessions s where ${LIVE_SESSION} offset 0) s on true`;

/**
 * Joins the live sessions of many devices. This is cheaper if the statement limits the devices and disables nested
 * loops.
 */
export const LIVE_SESSIONS_JOIN = `left join sessions s on ${LIVE_SESSION}`;

export interface Announcement {
  readonly appId: string;
  readonly bucket: number;
  readonly deviceId: bigint;
  readonly generation: number;
  readonly online: boolean;
  /**
   * The database's clock when the device connected, as printed by the database, because a Date would truncate the
   * microseconds.
   */
  readonly since: string;
}

/** The database's time, and whether the previous heartbeat was so long ago that sessions may have counted as ended. */
export interface RenewedHeartbeat {
  readonly now: Date;
  readonly wasLate: boolean;
}

/**
 * Keeps a gateway's sessions live. Returns undefined if the row is missing. All sessions must then be announced again.
 */
export async function renewHeartbeat(
  db: ShardDb,
  gateway: string,
  epoch: number,
): Promise<RenewedHeartbeat | undefined> {
  const [row] = await db.query<RenewedHeartbeat>(
    `with before as (select heartbeat_at from gateways where gateway = $1 and epoch = $2 for update)
     update gateways g set heartbeat_at = now()
       from before
      where g.gateway = $1 and g.epoch = $2
      returning now(), before.heartbeat_at <= now() - interval '${LATE_SECONDS} s' as "wasLate"`,
    [gateway, epoch],
  );
  return row;
}

/** Starts a new epoch of a gateway. All earlier announcements of the gateway become invalid. */
export async function startEpoch(db: ShardDb, gateway: string, epoch: number): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(
    `insert into gateways (gateway, epoch, heartbeat_at) values ($1, $2, now())
     on conflict (gateway) do update set epoch = excluded.epoch, heartbeat_at = now()
     returning now()`,
    [gateway, epoch],
  );
  return (row as { now: Date }).now;
}

/**
 * Deletes a gateway that stops, and its sessions. The sessions of a gateway that crashed are deleted by
 * `deleteDeadGateways`.
 */
export async function deleteGateway(db: ShardDb, gateway: string): Promise<void> {
  await db.query(
    `with gone as (select bucket, device_id from sessions where gateway = $1 order by 1, 2 for update)
     delete from sessions s using gone g where (s.bucket, s.device_id) = (g.bucket, g.device_id)`,
    [gateway],
  );
  await db.query('delete from gateways where gateway = $1', [gateway]);
}

/** Deletes gateways whose last heartbeat is more than an hour old, and their sessions. */
export async function deleteDeadGateways(db: ShardDb): Promise<void> {
  await db.query(
    `with silent as (
       select gateway from gateways where heartbeat_at < now() - interval '1 hour' order by gateway for update
     ), dead as (
       delete from gateways g using silent where g.gateway = silent.gateway returning g.gateway
     ), gone as (
       select s.bucket, s.device_id from sessions s join dead using (gateway) order by 1, 2 for update of s
     )
     delete from sessions s using gone g where (s.bucket, s.device_id) = (g.bucket, g.device_id)`,
  );
}

/** The period in which takeovers are counted. */
const TAKEOVER_WINDOW = `interval '1 min'`;

/** The number of takeovers of a device within a minute, from `sessions s`. */
export const TAKEOVERS = `case when s.takeovers_from > now() - ${TAKEOVER_WINDOW} then s.takeovers else 0 end`;

/** An announcement that was written, and the gateway that held the device before, if it was a different one. */
export interface WrittenAnnouncement {
  readonly deviceId: bigint;
  readonly replacedGateway: string | null;
}

/**
 * Records which devices are connected. Neither a connect nor a disconnect overwrites a later one, and a session from
 * before a logout (another generation) is not recorded. A gateway can always replace its own announcement, because it sends
 * its announcements in order: if two connections of a device overlap, the gateway can keep the one that was looked up
 * first. A call can have one announcement per device.
 *
 * Returns the written announcements. If two gateways announce a device at almost the same time, the second write
 * returns the first gateway, which it reads from the row.
 */
export async function announce(
  db: ShardDb,
  gateway: string,
  epoch: number,
  announcements: readonly Announcement[],
): Promise<WrittenAnnouncement[]> {
  return db.query<WrittenAnnouncement>(
    `insert into sessions as s (bucket, device_id, gateway, epoch, generation, online, since)
     select a.bucket, a.device_id, $1, $2, a.generation, a.online, a.since
       from unnest($3::text[], $4::smallint[], $5::bigint[], $6::int[], $7::boolean[], $8::timestamptz[])
            as a (app_id, bucket, device_id, generation, online, since)
       join devices d on d.app_id = a.app_id and d.bucket = a.bucket and d.device_id = a.device_id
        and d.generation = a.generation
      order by a.bucket, a.device_id
     on conflict (bucket, device_id) do update
        set gateway = excluded.gateway, epoch = excluded.epoch, generation = excluded.generation,
            online = excluded.online, since = excluded.since,
            replaced = case when s.online and s.gateway <> excluded.gateway then s.gateway end,
            takeovers = case when ${TOOK_OVER} then ${TAKEOVERS} + 1 else s.takeovers end,
            takeovers_from = case when ${TOOK_OVER} and s.takeovers_from <= now() - ${TAKEOVER_WINDOW} then now()
                                  else s.takeovers_from end
      where (s.generation, s.since) <= (excluded.generation, excluded.since)
         or s.gateway = excluded.gateway
     returning device_id as "deviceId", replaced as "replacedGateway"`,
    [
      gateway,
      epoch,
      ...keyColumns(announcements),
      announcements.map(({ online }) => online),
      sinceColumn(announcements),
    ],
  );
}

const TOOK_OVER = '(excluded.online and s.online and s.since < excluded.since)';

/**
 * The state of a session in the database. `ended`: the device was deleted or has another owner. `replaced`: the device
 * has connected to another gateway since. `unannounced`: the row is missing or differs in any other way.
 */
export interface SessionState {
  readonly deviceId: bigint;
  readonly state: 'announced' | 'unannounced' | 'replaced' | 'ended';
  /** The device's inbox has a notification that has not expired. */
  readonly hasInboxMessages: boolean;
}

/** Compares a gateway's sessions with those in this database. */
export async function compareSessions(
  db: ShardDb,
  gateway: string,
  epoch: number,
  sessions: readonly Omit<Announcement, 'online'>[],
): Promise<SessionState[]> {
  return db.query<SessionState>(
    `select a.device_id as "deviceId",
            case when d.device_id is null then 'ended'
                 when s.gateway <> $1 and (s.generation, s.since) > (a.generation, a.since) then 'replaced'
                 when s.gateway = $1 and s.epoch = $2 and s.online and s.generation = a.generation
                      and s.since = a.since then 'announced'
                 else 'unannounced' end as state,
            exists (select from inbox i
                     where i.bucket = a.bucket and i.device_id = a.device_id and i.generation = a.generation
                       and i.expires_at > now()) as "hasInboxMessages"
       from unnest($3::text[], $4::smallint[], $5::bigint[], $6::int[], $7::timestamptz[])
            as a (app_id, bucket, device_id, generation, since)
       left join devices d on d.app_id = a.app_id and d.bucket = a.bucket and d.device_id = a.device_id
        and d.generation = a.generation
       left join sessions s on s.bucket = a.bucket and s.device_id = a.device_id`,
    [gateway, epoch, ...keyColumns(sessions), sinceColumn(sessions)],
  );
}

function keyColumns(sessions: readonly Omit<Announcement, 'online'>[]): unknown[] {
  return [
    sessions.map(({ appId }) => appId),
    sessions.map(({ bucket }) => bucket),
    sessions.map(({ deviceId }) => deviceId),
    sessions.map(({ generation }) => generation),
  ];
}

const sinceColumn = (sessions: readonly Pick<Announcement, 'since'>[]) => sessions.map(({ since }) => since);

/** The current generation of a device, and the gateway that holds its session. */
export interface LiveSession {
  readonly deviceId: bigint;
  readonly generation: number;
  readonly gateway: string;
}

/**
 * Returns the gateways that hold these devices now. Every lookup is by key, because this query runs for each device of
 * a notification.
 */
export async function findSessions(
  db: ShardDb,
  devices: readonly { appId: string; bucket: number; deviceId: bigint }[],
): Promise<LiveSession[]> {
  return db.queryPrepared<LiveSession>(
    `select d.device_id as "deviceId", d.generation, s.gateway
       from (select distinct * from unnest($1::text[], $2::smallint[], $3::bigint[])) as k (app_id, bucket, device_id)
      cross join lateral (select d.bucket, d.device_id, d.generation
                            from devices d
                           where d.app_id = k.app_id and d.bucket = k.bucket and d.device_id = k.device_id
                          offset 0) d
      cross join lateral (select s.gateway from sessions s where ${LIVE_SESSION} offset 0) s`,
    [devices.map(({ appId }) => appId), devices.map(({ bucket }) => bucket), devices.map(({ deviceId }) => deviceId)],
  );
}
