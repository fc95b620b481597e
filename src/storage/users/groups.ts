import { type HomeDb, inTransaction, isForeignKeyViolation } from '../database/database.ts';
import { noFreeNumberError, sequenceSkips } from '../database/sequence-skips.ts';

/** Groups of users inside an app. An admin can act for one group. */

/**
 * Creates a group and returns its ID, which is generated if the caller gives none. Returns undefined if a group with
 * this ID exists.
 */
export async function insertGroup(
  db: HomeDb,
  appId: string,
  groupId: bigint | undefined,
  name: string,
): Promise<bigint | undefined> {
  for (const skip of sequenceSkips) {
    const [row] = await db.query<{ groupId: bigint }>(
      `insert into groups (app_id, group_id, name)
       values ($1,
               coalesce($2::bigint,
                        case when $4::bigint = 0 then nextval('group_numbers')
                             else setval('group_numbers', nextval('group_numbers') + $4) end),
               $3)
       on conflict do nothing
       returning group_id as "groupId"`,
      [appId, groupId ?? null, name, skip],
    );
    if (row || groupId !== undefined) return row?.groupId;
  }
  throw noFreeNumberError();
}

/** Adds all users or none. Returns `group` or `user` if the group or one of the users does not exist. */
export async function insertMembers(
  db: HomeDb,
  appId: string,
  groupId: bigint,
  userIds: readonly bigint[],
): Promise<'group' | 'user' | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      const lockedGroups = await tx.query(
        'select from groups where app_id = $1 and group_id = $2 and deleted_at is null for share',
        [appId, groupId],
      );
      if (lockedGroups.length === 0) return 'group';
      await tx.query(
        `insert into members (app_id, group_id, user_id)
         select $1, $2, user_id from (select distinct unnest($3::bigint[]) as user_id) as u order by user_id
         on conflict do nothing`,
        [appId, groupId, userIds],
      );
      return undefined;
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) return 'user';
    throw error;
  }
}

export async function deleteMembers(
  db: HomeDb,
  appId: string,
  groupId: bigint,
  userIds: readonly bigint[],
): Promise<void> {
  await db.query(
    `with gone as (
       select user_id from members where app_id = $1 and group_id = $2 and user_id = any($3) order by user_id for update
     )
     delete from members m using gone g where m.app_id = $1 and m.group_id = $2 and m.user_id = g.user_id`,
    [appId, groupId, userIds],
  );
}

/**
 * Deletes a group and its members. The ID stays reserved, because earlier tasks are still limited to the group. Returns
 * false if the group does not exist.
 */
export function deleteGroup(db: HomeDb, appId: string, groupId: bigint): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.query(
      `update groups set deleted_at = now(), name = ''
        where app_id = $1 and group_id = $2 and deleted_at is null
        returning group_id`,
      [appId, groupId],
    );
    await tx.query(
      `with gone as (select user_id from members where app_id = $1 and group_id = $2 order by user_id for update)
       delete from members m using gone g where m.app_id = $1 and m.group_id = $2 and m.user_id = g.user_id`,
      [appId, groupId],
    );
    return rows.length > 0;
  });
}

export async function findGroups(
  db: HomeDb,
  appId: string,
  after: bigint | null,
  limit: number,
): Promise<{ groupId: bigint; name: string }[]> {
  return db.query(
    `select group_id as "groupId", name
       from groups
      where app_id = $1 and deleted_at is null and ($2::bigint is null or group_id > $2)
      order by group_id
      limit $3`,
    [appId, after, limit],
  );
}

/** Returns the groups of a user that follow `after`. */
export async function findGroupsOfUser(
  db: HomeDb,
  appId: string,
  userId: bigint,
  after: bigint | null,
  limit: number,
): Promise<{ groupId: bigint; name: string }[]> {
  return db.query(
    `select g.group_id as "groupId", g.name
       from members m
       join groups g using (app_id, group_id)
      where m.app_id = $1 and m.user_id = $2 and ($3::bigint is null or m.group_id > $3)
      order by m.group_id
      limit $4`,
    [appId, userId, after, limit],
  );
}

/** Returns the name of a group that was not deleted. */
export async function findGroupName(db: HomeDb, appId: string, groupId: bigint): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(
    'select name from groups where app_id = $1 and group_id = $2 and deleted_at is null',
    [appId, groupId],
  );
  return row?.name;
}

export async function groupExists(db: HomeDb, appId: string, groupId: bigint): Promise<boolean> {
  const rows = await db.queryPrepared('select from groups where app_id = $1 and group_id = $2 and deleted_at is null', [
    appId,
    groupId,
  ]);
  return rows.length > 0;
}

/** Returns the members of a group that follow `after`, in the order of their IDs. */
export async function findMembersAfter(
  db: HomeDb,
  appId: string,
  groupId: bigint,
  after: bigint | null,
  limit: number,
): Promise<bigint[]> {
  const rows = await db.query<{ userId: bigint }>(
    `select user_id as "userId"
       from members
      where app_id = $1 and group_id = $2 and ($3::bigint is null or user_id > $3)
      order by user_id
      limit $4`,
    [appId, groupId, after, limit],
  );
  return rows.map(({ userId }) => userId);
}

const MEMBERS_PER_PAGE = 1_000;

/** Yields all members of a group, page by page. */
export async function* findMembers(db: HomeDb, appId: string, groupId: bigint): AsyncGenerator<bigint[]> {
  let after: bigint | null = null;
  for (;;) {
    const userIds: bigint[] = await findMembersAfter(db, appId, groupId, after, MEMBERS_PER_PAGE);
    if (userIds.length > 0) yield userIds;
    if (userIds.length < MEMBERS_PER_PAGE) return;
    after = userIds.at(-1) ?? null;
  }
}

/** Returns the given users who are members. */
export async function findMembersAmong(
  db: HomeDb,
  appId: string,
  groupId: bigint,
  userIds: readonly bigint[],
): Promise<bigint[]> {
  const rows = await db.query<{ userId: bigint }>(
    `select user_id as "userId" from members where app_id = $1 and group_id = $2 and user_id = any($3)`,
    [appId, groupId, userIds],
  );
  return rows.map(({ userId }) => userId);
}
