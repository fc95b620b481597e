import type { HomeDb, ShardDb } from '../database/database.ts';
import type { DeviceKey } from './devices.ts';

/** An alias belongs to one user, by a row at home; the devices say which of them have it. */

/** The users behind aliases. */
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

/** Whose an alias is. */
export interface AliasOwner {
  readonly userId: bigint;
  readonly version: number;
}

/** Takes an alias for a user, if nobody has it, and answers whose it is now. Undefined: there is no such user any more. */
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
 * Takes an alias over from a user of whom no device had it when it was looked for. False: somebody was quicker, or the
 * owner has named a device since.
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
 * Says that a device of the owner has the alias. Whoever saw none a moment ago has to look again. False: it belongs to
 * another by now.
 */
export async function confirmAlias(db: HomeDb, appId: string, alias: string, userId: bigint): Promise<boolean> {
  const rows = await db.query(
    'update aliases set version = version + 1 where app_id = $1 and alias = $2 and user_id = $3 returning version',
    [appId, alias, userId],
  );
  return rows.length > 0;
}

/** Whether any device of a user in this database has the alias. */
export async function hasAlias(db: ShardDb, appId: string, userId: bigint, alias: string): Promise<boolean> {
  const rows = await db.query('select from devices where app_id = $1 and user_id = $2 and alias = $3', [
    appId,
    userId,
    alias,
  ]);
  return rows.length > 0;
}

/** Names a device, or with null takes its name away. False: it has changed hands. */
export async function setAlias(
  db: ShardDb,
  { appId, shard, deviceId, generation }: DeviceKey & { generation: number },
  alias: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `update devices set alias = $5
      where app_id = $1 and shard = $2 and device_id = $3 and generation = $4
      returning device_id`,
    [appId, shard, deviceId, generation, alias],
  );
  return rows.length > 0;
}

/** Takes a name away from a device, unless it has another by now. */
export async function removeAlias(
  db: ShardDb,
  { appId, shard, deviceId, generation }: DeviceKey & { generation: number },
  alias: string,
): Promise<void> {
  await db.query(
    `update devices set alias = null
      where app_id = $1 and shard = $2 and device_id = $3 and generation = $4 and alias = $5`,
    [appId, shard, deviceId, generation, alias],
  );
}
