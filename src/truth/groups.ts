import type { HomeDb } from './database.ts';

/** Some groups of people inside an app; an admin may act for one of them. */

export async function insertGroup(db: HomeDb, appId: string, groupId: bigint, name: string): Promise<void> {
  await db.query('insert into groups (app_id, group_id, name) values ($1, $2, $3)', [appId, groupId, name]);
}

export async function insertMember(db: HomeDb, appId: string, groupId: bigint, userId: bigint): Promise<void> {
  await db.query('insert into members (app_id, group_id, user_id) values ($1, $2, $3) on conflict do nothing', [
    appId,
    groupId,
    userId,
  ]);
}

export async function groupExists(db: HomeDb, appId: string, groupId: bigint): Promise<boolean> {
  const rows = await db.query('select from groups where app_id = $1 and group_id = $2', [appId, groupId]);
  return rows.length > 0;
}

const MEMBERS_PER_PAGE = 1_000;

/** All members of a group, page by page. */
export async function* findMembers(db: HomeDb, appId: string, groupId: bigint): AsyncGenerator<bigint[]> {
  let after: bigint | null = null;
  for (;;) {
    const rows: { userId: bigint }[] = await db.query<{ userId: bigint }>(
      `select user_id as "userId"
         from members
        where app_id = $1 and group_id = $2 and ($3::bigint is null or user_id > $3)
        order by user_id
        limit ${MEMBERS_PER_PAGE}`,
      [appId, groupId, after],
    );
    if (rows.length > 0) yield rows.map(({ userId }) => userId);
    if (rows.length < MEMBERS_PER_PAGE) return;
    after = rows.at(-1)?.userId ?? null;
  }
}

/** Those of the people who are members. */
export async function isMember(
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
