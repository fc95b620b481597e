import type * as real from '#src/storage/users/device-buckets.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { homeRows } from './rows.ts';

const userKey = ({ appId, userId }: real.UserKey): string => `${appId} ${userId}`;

/** Every user exists, so this function always returns true. */
export const addDeviceBucket: typeof real.addDeviceBucket = (db, user, bucket) =>
  write(db, 'addDeviceBucket', () => {
    const table = homeRows(db).deviceBuckets;
    const buckets = table.get(userKey(user)) ?? [];
    if (!buckets.includes(bucket)) simulatedDatabaseOf(db).put(table, userKey(user), [...buckets, bucket]);
    return true;
  });

export const findDatabasesOfUsers: typeof real.findDatabasesOfUsers = async ({ home, shards }, users) => {
  if (shards.all.length === 1 || users.length === 0) return users.map(() => shards.all);
  const buckets = await read(home, 'findDeviceBuckets', () =>
    users.map((user) => homeRows(home).deviceBuckets.get(userKey(user)) ?? []),
  );
  return buckets.map((own) => [...new Set(own.map((bucket) => shards.dbFor(bucket)))]);
};
