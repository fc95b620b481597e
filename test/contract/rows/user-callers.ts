import { operations } from '#src/contract/operations.ts';
import { apps, groups, NO_GROUP, NOBODY, tokens, users } from './fixtures.ts';
import { type Call, type Case, ok, type Row, refused } from './row.ts';
import { createdGroupId, createdUserId, createGroup, createUser, rules } from './user-calls.ts';

/**
 * Rows about the permission to manage users and groups. It requires an admin token with the `manage` scope and no
 * `group_id` header.
 */

/** A valid call for each operation, and the calls that must precede it. */
const goodCalls: Readonly<Record<string, { before?: readonly Call[]; body: object }>> = {
  '/admin/user/create': { body: {} },
  '/admin/user/find': { body: { user_id: users.ann.userId } },
  '/admin/user/list': { body: { limit: 1 } },
  '/admin/user/update': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/password': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/kick': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/disable': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/enable': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/token': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/delete': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/erase': { before: [createUser()], body: { user_id: createdUserId } },
  '/admin/user/erasures': { body: { limit: 1 } },
  '/admin/user/export': { body: { user_id: users.ann.userId } },
  '/admin/group/create': { body: { name: 'callers' } },
  '/admin/group/list': { body: { limit: 1 } },
  '/admin/group/add': { before: [createGroup()], body: { group_id: createdGroupId, list: [users.ann.userId] } },
  '/admin/group/members': { before: [createGroup()], body: { group_id: createdGroupId } },
  '/admin/group/remove': { before: [createGroup()], body: { group_id: createdGroupId, list: [users.ann.userId] } },
  '/admin/group/delete': { before: [createGroup()], body: { group_id: createdGroupId } },
};

const paths = operations.map(({ path }) => path).filter((path) => /^\/admin\/(user|group)\//.test(path));

const group = (groupId: bigint | string) => ({ group_id: groupId.toString() });
const user = (userId: bigint | string) => ({ user_id: userId.toString() });

function callerRows(path: string): readonly Row[] {
  const { before = [], body = {} } = goodCalls[path] ?? {};
  const by = (token: string | null, headers: Readonly<Record<string, string>> = {}): Call => ({
    path,
    token,
    headers,
    body,
  });
  const all = (expect: Case['expect'], ...calls: readonly Call[]) => calls.map((call) => ({ before, call, expect }));
  return [
    rules(path, 'an admin token with the manage or * scope is accepted', all(ok, by(tokens.manage), by(tokens.admin))),
    rules(
      path,
      'an admin token on behalf of a user is accepted',
      all(
        ok,
        by(tokens.manage, user(users.ann.userId)),
        by(tokens.admin, { ...user(users.bob.userId), ...group(' ') }),
      ),
    ),
    rules(
      path,
      'the user on whose behalf the call is made must exist: 10000',
      all(refused(10000), by(tokens.manage, user(NOBODY)), by(tokens.manage, user(users.disabled.userId))),
    ),
    rules(
      path,
      'an admin token without the manage scope is rejected: 10010',
      all(
        refused(10010, /does not have the scope `manage`/),
        by(tokens.push),
        by(tokens.secrets),
        by(tokens.scopeless),
      ),
    ),
    rules(
      path,
      'a user token is rejected, even for its own user: 10010',
      all(refused(10010), by(tokens.ann), by(tokens.ann, user(users.ann.userId)), by(tokens.annWithoutDevice)),
    ),
    rules(path, 'a group admin is rejected, with a hint to omit group_id: 10010', [
      ...all(refused(10010, /group_id/), by(tokens.manage, group(groups.choir)), by(tokens.admin, group(groups.choir))),
      ...all(refused(10010), by(tokens.push, group(groups.choir)), by(tokens.ann, group(groups.choir))),
      ...all(refused(20001), by(tokens.manage, group(NO_GROUP))),
      ...all(refused(10002), by(tokens.manage, { ...group(groups.choir), ...user(users.ann.userId) })),
    ]),
    rules(path, 'a missing token, an expired token and a token of another app are rejected: 10003, 402, 10008', [
      ...all(refused(10003), by(null), by('  ')),
      ...all(refused(402), by(tokens.adminExpired), by(tokens.annExpired)),
      ...all(refused(10008), by(tokens.adminRevoked), by(tokens.adminUnknown), by(tokens.otherAdmin), by('garbage')),
      ...all(refused(10008), { ...by(tokens.manage), app: apps.other }),
      ...all(refused(40000), { ...by(tokens.manage), app: apps.disabled }, { ...by(tokens.manage), app: 'nowhere' }),
      ...all(refused(10002, /app_id/), { ...by(tokens.manage), app: null }),
    ]),
    rules(
      path,
      'a caller without permission is rejected before the body is validated: 10010',
      all(
        refused(10010),
        ...['null', '{"user_id":"x","group_id":"x","limit":0}', '[]'].map((text) => ({
          path,
          token: tokens.push,
          text,
        })),
      ),
    ),
    rules(
      path,
      'a key that would change the prototype is rejected: 10002',
      ['{"__proto__":{"user_id":7}}', '{"user_id":7,"constructor":{"prototype":{}}}'].map((text) => ({
        call: { path, token: tokens.manage, text },
        expect: refused(10002),
      })),
    ),
  ];
}

export const userCallerGroup: readonly Row[] = paths.flatMap(callerRows);
