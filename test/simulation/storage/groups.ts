import type * as real from '#src/storage/users/groups.ts';
import { read } from './database.ts';
import { homeRows } from './rows.ts';

export const findMembersAfter: typeof real.findMembersAfter = (db, appId, _groupId, after, limit) =>
  read(db, 'findMembersAfter', () => {
    const members = homeRows(db).members.get(appId) ?? [];
    const first = members.findIndex((userId) => after === null || userId > after);
    return first < 0 ? [] : members.slice(first, first + limit);
  });

export const findMembersAmong: typeof real.findMembersAmong = (db, appId, _groupId, userIds) =>
  read(db, 'findMembersAmong', () => {
    const members = new Set(homeRows(db).members.get(appId));
    return userIds.filter((userId) => members.has(userId));
  });
