import { apps, devices, groups, NOBODY, tokens, una, users } from './fixtures.ts';
import { good, NOTIFY, notify } from './push-notify.ts';
import { type Call, type Expect, ok, type Row, refused } from './row.ts';

/** Audiences that a caller can notify, depending on the scopes of the admin token or on the `user_push` app setting. */

const { ann, bob } = users;
const call = (token: string, headers: Readonly<Record<string, string>> = {}) => notify(good, { token, headers });
const user = (userId: bigint) => ({ user_id: userId.toString() });
const group = (groupId: bigint) => ({ group_id: groupId.toString() });
const to = (audience: unknown) => ({ ...good, audience });

const rule = (sentence: string, expect: Expect, ...calls: readonly Call[]): Row => ({
  rule: sentence,
  path: `${NOTIFY} header.access-token`,
  kind: 'rule',
  cases: calls.map((one) => ({ call: one, expect })),
});

const scopeRows: readonly Row[] = [
  rule('scopes: an admin token with * can notify', ok, call(tokens.admin)),
  rule('scopes: an admin token with push can notify', ok, call(tokens.push), call(tokens.push, group(groups.choir))),
  rule(
    'scopes: an admin token with secrets cannot notify: 10010',
    refused(10010),
    call(tokens.secrets),
    call(tokens.secrets, group(groups.choir)),
    call(tokens.secrets, user(ann.userId)),
  ),
  rule('scopes: an admin token with manage cannot notify: 10010', refused(10010), call(tokens.manage)),
  rule('scopes: an admin token without scopes cannot notify: 10010', refused(10010), call(tokens.scopeless)),
];

const reach = (sentence: string, expect: Expect, token: string, app: string, ...audiences: readonly unknown[]): Row =>
  rule(sentence, expect, ...audiences.map((audience) => notify(to(audience), { app, token })));
const myself = { user_id: [ann.userId] };
const others = [
  { user_id: [bob.userId] },
  { user_id: [ann.userId, bob.userId] },
  { user_id: [bob.userId, ann.userId] },
];

const reachRows: readonly Row[] = [
  reach('user_push self: a user can notify themselves', ok, tokens.ann, apps.bells, myself, {
    user_id: [ann.userId, ann.userId],
  }),
  reach(
    'user_push self: a user can notify their own devices',
    ok,
    tokens.ann,
    apps.bells,
    { push_token: [devices.ann.pushToken] },
    { push_token: [devices.ann.pushToken, devices.annsTablet.pushToken, devices.ann.pushToken] },
  ),
  reach(
    'user_push self: an audience with other users is rejected, not reduced: 10010',
    refused(10010),
    tokens.ann,
    apps.bells,
    ...others,
  ),
  reach(
    'user_push self: a device of another user is rejected, alone or together with the user’s own devices: 10010',
    refused(10010),
    tokens.ann,
    apps.bells,
    { push_token: [devices.bob.pushToken] },
    { push_token: [devices.ann.pushToken, devices.bob.pushToken] },
  ),
  reach(
    'user_push self: an unknown device is rejected like a device of another user: 10010',
    refused(10010),
    tokens.ann,
    apps.bells,
    { push_token: ['nobodys'] },
    { push_token: [devices.ann.pushToken.replace('anns', 'none')] },
    { push_token: [devices.pushNoneUser.pushToken] },
  ),
  reach(
    'user_push self: all, tags and aliases are rejected: 10010',
    refused(10010),
    tokens.ann,
    apps.bells,
    'all',
    { tag: ['t'] },
    { alias: ['a'] },
  ),
  reach(
    'user_push none: a user cannot notify even themselves: 10010',
    refused(10010),
    tokens.pushNoneUser,
    apps.pushNone,
    { user_id: [una.userId] },
    { push_token: [devices.pushNoneUser.pushToken] },
    'all',
  ),
  reach(
    'user_push any: a user can notify any audience',
    ok,
    tokens.pushAnyUser,
    apps.pushAny,
    { user_id: [una.userId] },
    { user_id: [NOBODY] },
    'all',
    { tag: ['t'] },
    { alias: ['a'] },
    { push_token: ['p'] },
  ),
  reach(
    'user_push applies only to users: an admin can notify any audience',
    ok,
    tokens.admin,
    apps.bells,
    'all',
    ...others,
    { tag: ['t'] },
    { alias: ['a'] },
    { push_token: ['p'] },
  ),
];

export const audiencePermissionGroup: readonly Row[] = [...scopeRows, ...reachRows];
