import { deviceTokens } from './fixture-devices.ts';
import { groups, NO_GROUP, NOBODY, tokens, users } from './fixtures.ts';
import { type Call, type Expect, ok, type Row, refused } from './row.ts';
import { rules } from './user-calls.ts';

/** Callers that an operation under `/admin/` accepts, and callers that it rejects before it changes anything. */

type ManagingScope = 'manage' | 'secrets' | 'platform';

/** Tokens that have each scope (`holders`), and tokens that do not have it (`others`). */
const holders = {
  manage: [tokens.admin, tokens.manage],
  secrets: [tokens.admin, tokens.secrets],
  platform: [deviceTokens.platform, deviceTokens.platformOnly],
} as const satisfies Record<ManagingScope, readonly string[]>;
const others = {
  manage: [deviceTokens.platformOnly, tokens.push, tokens.secrets, tokens.scopeless],
  secrets: [deviceTokens.platformOnly, tokens.push, tokens.manage, tokens.scopeless],
  platform: [tokens.admin, tokens.manage, tokens.push, tokens.secrets, tokens.scopeless],
} as const satisfies Record<ManagingScope, readonly string[]>;

const user = (userId: bigint) => ({ user_id: userId.toString() });
const group = (groupId: bigint) => ({ group_id: groupId.toString() });

const callAs = (good: Call, token: string | null, headers: Readonly<Record<string, string>> = {}): Call => ({
  ...good,
  token,
  headers,
});
const all = (path: string, sentence: string, expect: Expect, calls: readonly Call[]) =>
  rules(
    path,
    sentence,
    calls.map((call) => ({ call, expect })),
  );

/**
 * Returns the rows about the callers of an admin operation. `good` is a call that can be repeated any number of times.
 */
export function adminCallerRows(good: Call, scope: ManagingScope, works: Expect = ok): readonly Row[] {
  const { path } = good;
  return [
    all(
      path,
      `accepts an admin token with the ${scope} scope`,
      works,
      holders[scope].map((token) => callAs(good, token)),
    ),
    all(path, 'an admin can act for a user', works, [callAs(good, holders[scope][0], user(users.ann.userId))]),
    ...refusedCallerRows(good, scope),
  ];
}

export function refusedCallerRows(good: Call, scope: ManagingScope): readonly Row[] {
  const { path } = good;
  const as = (token: string | null, headers?: Readonly<Record<string, string>>) => callAs(good, token, headers);
  const [holder] = holders[scope];
  return [
    all(
      path,
      `rejects an admin token without the ${scope} scope: 10010`,
      refused(10010, new RegExp(scope)),
      others[scope].map((token) => as(token)),
    ),
    all(path, 'rejects a user token, with or without the user_id header: 10010', refused(10010, /admin token/), [
      as(tokens.ann),
      as(tokens.annWithoutDevice),
      as(tokens.ann, user(users.ann.userId)),
    ]),
    all(path, 'rejects an admin token with the group_id header: 10010', refused(10010, /group_id/), [
      as(holder, group(groups.choir)),
    ]),
    all(path, 'rejects an admin token with an unknown group in the group_id header: 20001', refused(20001), [
      as(holder, group(NO_GROUP)),
    ]),
    all(path, 'rejects an admin token with an unknown user in the user_id header: 10000', refused(10000), [
      as(holder, user(NOBODY)),
    ]),
    all(path, 'requires a token: 10003', refused(10003), [as(null), as(' ')]),
    all(path, 'rejects a token of another app, a revoked token and an unknown token: 10008', refused(10008), [
      as(tokens.otherAdmin),
      as(tokens.adminRevoked),
      as(tokens.adminUnknown),
    ]),
    all(path, 'rejects an expired token: 402', refused(402), [as(tokens.adminExpired)]),
  ];
}
