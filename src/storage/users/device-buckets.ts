import type { HomeDb, ShardDb, Storage } from '../database/database.ts';

/**
 * The buckets in which users have devices. A bucket is recorded before the device exists and is never removed, so the
 * record can only have too many buckets.
 */

export interface UserKey {
  readonly appId: string;
  readonly userId: bigint;
}

/**
 * Records that a user may have a device in a bucket. Must be committed before the device is registered. Returns false if
 * the user no longer exists.
 */
export async function addDeviceBucket(db: HomeDb, { appId, userId }: UserKey, bucket: number): Promise<boolean> {
  const rows = await db.query(
    `update users
        set device_buckets = case when $3 = any(device_buckets) then device_buckets else device_buckets || $3::smallint end
      where app_id = $1 and user_id = $2
      returning 1`,
    [appId, userId, bucket],
  );
  return rows.length > 0;
}

/** Returns the buckets of users, in the order of the given users. An unknown user has none. */
async function findDeviceBuckets(db: HomeDb, users: readonly UserKey[]): Promise<number[][]> {
  const rows = await db.queryPrepared<{ position: number; buckets: number[] }>(
    `select k.position::int, u.device_buckets as buckets
       from unnest($1::text[], $2::bigint[]) with ordinality as k (app_id, user_id, position)
       join users u using (app_id, user_id)
      union all
     select k.position::int, e.device_buckets
       from unnest($1::text[], $2::bigint[]) with ordinality as k (app_id, user_id, position)
       join erased_users e using (app_id, user_id)`,
    [users.map(({ appId }) => appId), users.map(({ userId }) => userId)],
  );
  const byPosition = new Map(rows.map(({ position, buckets }) => [position, buckets]));
  return users.map((_, i) => byPosition.get(i + 1) ?? []);
}

/** Returns whether a user has ever logged in on a device. */
export async function hasEverLoggedIn(db: HomeDb, user: UserKey): Promise<boolean> {
  const [buckets = []] = await findDeviceBuckets(db, [user]);
  return buckets.length > 0;
}

/**
 * Returns the databases in which each user can have devices, in the order of the given users. With a single database,
 * the home database need not be asked.
 */
export async function findDatabasesOfUsers(
  { home, shards }: Storage,
  users: readonly UserKey[],
): Promise<(readonly ShardDb[])[]> {
  if (shards.all.length === 1 || users.length === 0) return users.map(() => shards.all);
  const buckets = await findDeviceBuckets(home, users);
  return buckets.map((own) => [...new Set(own.map((bucket) => shards.dbFor(bucket)))]);
}

/** Returns the databases in which a user can have devices. */
export async function findDatabasesOfUser(storage: Storage, user: UserKey): Promise<readonly ShardDb[]> {
  const [databases] = await findDatabasesOfUsers(storage, [user]);
  return databases ?? [];
}
