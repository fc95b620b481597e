import type { HomeDb, ShardDb } from '../database/database.ts';
import type { DeviceKey } from './devices.ts';

/**
 * An alias belongs to one user, as recorded by a row in the home database. The device rows record which of the user's
 * devices have the alias.
 */

/** Returns the users that aliases belong to. */
export async function findAliases(
  db: HomeDb,
  aliases: readonly { appId: string; alias: string }[],
): Promise<{ appId: string; alias: string; userId: bigint }[]> {
  return db.query(
    `select app_id as "appId", alias, user_id as "userId"
       from aliases
      where (app_id, alias) in (select * from unnest($1::text[], $2::text[]))`,
    [aliases.map(({ appId }) => appId), aliases.map(({ alias }) => alias)],
  );
}

/** Returns the aliases of a user. */
export async function findAliasesOfUser(db: HomeDb, appId: string, userId: bigint): Promise<string[]> {
  const rows = await db.query<{ alias: string }>(
    'select alias from aliases where app_id = $1 and user_id = $2 order by alias',
    [appId, userId],
  );
  return rows.map(({ alias }) => alias);
}

/** The user that an alias belongs to. */
export interface AliasOwner {
  readonly userId: bigint;
  readonly version: number;
}

/**
 * Claims an alias for a user if it has no owner, and returns its current owner. Returns undefined if the user no longer
 * exists.
 */
export async function claimAlias(
  db: HomeDb,
  appId: string,
  alias: string,
  userId: bigint,
): Promise<AliasOwner | undefined> {
  await db.query(
    `insert into aliases (app_id, alias, user_id)
     select app_id, $2, user_id from users where app_id = $1 and user_id = $3 for key share
     on conflict do nothing`,
    [appId, alias, userId],
  );
  return findAliasOwner(db, appId, alias);
}

export async function findAliasOwner(db: HomeDb, appId: string, alias: string): Promise<AliasOwner | undefined> {
  const [owner] = await db.queryPrepared<AliasOwner>(
    'select user_id as "userId", version from aliases where app_id = $1 and alias = $2',
    [appId, alias],
  );
  return owner;
}

/**
 * Transfers an alias from a user whose devices did not have it at the time of the check. Returns false if another
 * request has transferred the alias, or if the owner has set it on a device since.
 */
export async function takeOverAlias(
  db: HomeDb,
  appId: string,
  alias: string,
  from: AliasOwner,
  to: bigint,
): Promise<boolean> {
  const rows = await db.query(
    `update aliases set user_id = $5, version = version + 1
      where app_id = $1 and alias = $2 and user_id = $3 and version = $4
      returning version`,
    [appId, alias, from.userId, from.version, to],
  );
  return rows.length > 0;
}

/**
 * Confirms that a device of the owner has the alias. The new version forces a concurrent takeover to check again.
 * Returns false if the alias now belongs to another user.
 */
export async function confirmAlias(db: HomeDb, appId: string, alias: string, userId: bigint): Promise<boolean> {
  const rows = await db.query(
    'update aliases set version = version + 1 where app_id = $1 and alias = $2 and user_id = $3 returning version',
    [appId, alias, userId],
  );
  return rows.length > 0;
}

/** Returns whether any device of a user in this database has the alias. */
export async function hasAlias(db: ShardDb, appId: string, userId: bigint, alias: string): Promise<boolean> {
  const rows = await db.query('select from devices where app_id = $1 and user_id = $2 and alias = $3', [
    appId,
    userId,
    alias,
  ]);
  return rows.length > 0;
}

/** Sets the alias of a device, or removes it if `alias` is null. Returns false if the device was logged out. */
export async function setAlias(
  db: ShardDb,
  { appId, bucket, deviceId, generation }: DeviceKey & { generation: number },
  alias: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `update devices set alias = $5
      where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4
      returning device_id`,
    [appId, bucket, deviceId, generation, alias],
  );
  return rows.length > 0;
}

/** Removes an alias from a device, unless the device now has another alias. */
export async function removeAlias(
  db: ShardDb,
  { appId, bucket, deviceId, generation }: DeviceKey & { generation: number },
  alias: string,
): Promise<void> {
  await db.query(
    `update devices set alias = null
      where app_id = $1 and bucket = $2 and device_id = $3 and generation = $4 and alias = $5`,
    [appId, bucket, deviceId, generation, alias],
  );
}
