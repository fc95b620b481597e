import { BUCKETS } from '#src/domain/bucket.ts';
import type { UserNames } from '#src/domain/erasure/user-names.ts';
import type { HomeDb } from '../database/database.ts';
import type { DeviceToErase } from '../devices/ownership.ts';
import type { UserKey } from './device-buckets.ts';

/** The erasure of a user, as callers see it. */
export interface Erasure extends UserKey {
  readonly erasureId: bigint;
  /** The buckets whose devices are not known to be erased. */
  readonly buckets: readonly number[];
  readonly requestedAt: Date;
  readonly doneAt: Date | null;
}

/** An erasure that this worker continues, with the names of the user. */
export interface ClaimedErasure extends Erasure, UserNames {
  readonly deviceIds: readonly bigint[];
  /** Other users can use the aliases since then. */
  readonly deletedAt: Date;
  /** All tasks up to this one are done. */
  readonly tasksAfter: bigint;
  /** No request of the user that began before the erasure can still be running. */
  readonly settled: boolean;
}

const ERASURE_COLUMNS = `
  erasure_id as "erasureId", app_id as "appId", user_id as "userId", buckets, requested_at as "requestedAt",
  done_at as "doneAt"`;

/**
 * Records that a user must be erased. Must be committed together with the deletion of the user, or after it. An erasure
 * that is done starts again, and then searches all buckets. Does nothing if the user was never deleted.
 */
export async function insertErasure(db: HomeDb, { appId, userId }: UserKey): Promise<void> {
  await db.query(
    `insert into erasures as e (app_id, user_id, buckets, aliases)
     select app_id, user_id, device_buckets,
            array(select alias from aliases a where a.app_id = u.app_id and a.user_id = u.user_id)
       from users u
      where app_id = $1 and user_id = $2
      union all
     select app_id, user_id, device_buckets, '{}' from erased_users where app_id = $1 and user_id = $2
     on conflict (app_id, user_id) do update
        set buckets = array(select generate_series(0, ${BUCKETS - 1})::smallint), requested_at = now(), next_at = now(),
            done_at = null, tasks_after = 0
      where e.done_at is not null`,
    [appId, userId],
  );
}

/** Returns the erasures of an app before `before`, the latest first, or only that of one user. */
export async function findErasures(
  db: HomeDb,
  appId: string,
  userId: bigint | null,
  before: bigint | null,
  limit: number,
): Promise<Erasure[]> {
  return db.query<Erasure>(
    `select ${ERASURE_COLUMNS}
       from erasures
      where app_id = $1 and ($2::bigint is null or user_id = $2) and ($3::bigint is null or erasure_id < $3)
      order by erasure_id desc
      limit $4`,
    [appId, userId, before, limit],
  );
}

/**
 * Time after the deletion of a user within which requests of this user can still be running. A login that began before
 * can register a device, and a task can be accepted while the access token is cached.
 */
const SETTLE_MINUTES = 10;
/** Much longer than the slowest step between two renewals. */
const LEASE_MINUTES = 5;

/** Claims the erasure that has been due the longest, or returns undefined. */
export async function claimErasure(db: HomeDb): Promise<ClaimedErasure | undefined> {
  const [erasure] = await db.query<ClaimedErasure>(
    `update erasures e set next_at = now() + interval '${LEASE_MINUTES} min'
      where erasure_id = (select erasure_id from erasures
                           where next_at <= now()
                           order by next_at
                           limit 1
                             for update skip locked)
      returning ${ERASURE_COLUMNS}, aliases, device_ids as "deviceIds", device_guids as "deviceGuids",
                push_tokens as "pushTokens", tasks_after as "tasksAfter",
                (select u.erased_at from erased_users u where u.app_id = e.app_id and u.user_id = e.user_id) as "deletedAt",
                requested_at <= now() - interval '${SETTLE_MINUTES} min' as settled`,
    [],
  );
  return erasure;
}

/** Adds the names of devices. Must be committed before the devices are erased, because they are not known afterwards. */
export async function addErasedDevices(
  db: HomeDb,
  erasureId: bigint,
  devices: readonly DeviceToErase[],
): Promise<void> {
  const add = (column: string, parameter: string) =>
    `${column} = array(select unnest(${column}) union select unnest(${parameter}))`;
  await db.query(
    `update erasures
        set ${add('device_ids', '$2::bigint[]')}, ${add('device_guids', '$3::text[]')},
            ${add('push_tokens', '$4::text[]')}, ${add('aliases', '$5::text[]')}
      where erasure_id = $1`,
    [
      erasureId,
      devices.map(({ deviceId }) => deviceId),
      devices.map(({ deviceGuid }) => deviceGuid),
      devices.map(({ pushToken }) => pushToken),
      devices.flatMap(({ alias }) => (alias === null ? [] : [alias])),
    ],
  );
}

/** Records that the devices in these buckets are erased. */
export async function removeErasedBuckets(db: HomeDb, erasureId: bigint, buckets: readonly number[]): Promise<void> {
  await db.query(
    `update erasures set buckets = array(select unnest(buckets) except select unnest($2::smallint[]))
      where erasure_id = $1`,
    [erasureId, buckets],
  );
}

/** Records that all tasks up to this one are done, and renews the lease. */
export async function saveErasureProgress(db: HomeDb, erasureId: bigint, tasksAfter: bigint): Promise<void> {
  await db.query(
    `update erasures set tasks_after = $2, next_at = now() + interval '${LEASE_MINUTES} min'
      where erasure_id = $1 and done_at is null`,
    [erasureId, tasksAfter],
  );
}

/** Postpones an erasure that waits for a database, for a task, or for running requests of the user. */
export async function postponeErasure(db: HomeDb, erasureId: bigint, seconds: number): Promise<void> {
  await db.query(
    `update erasures set next_at = now() + $2 * interval '1 s' where erasure_id = $1 and done_at is null`,
    [erasureId, seconds],
  );
}

/** Ends an erasure and removes the names of the user. Only the user ID and the times are left. */
export async function finishErasure(db: HomeDb, erasureId: bigint): Promise<void> {
  await db.query(
    `with done as (
       update erasures
          set next_at = null, done_at = now(), aliases = '{}', device_ids = '{}', device_guids = '{}', push_tokens = '{}'
        where erasure_id = $1
        returning app_id, user_id
     )
     update erased_users u set device_buckets = '{}' from done d where (u.app_id, u.user_id) = (d.app_id, d.user_id)`,
    [erasureId],
  );
}
