import { apps, devices, groups, NO_GROUP, NOBODY, tokens, users } from './fixtures.ts';
import { good, NOTIFY, notify, stored } from './push-notify.ts';
import { type Call, type Expect, INT64_MAX, ok, type Row, refused } from './row.ts';

/** Authentication and acting for users and groups: the headers of every operation that requires a token. */

const { ann, bob } = users;
const call = (token: string | null, headers: Readonly<Record<string, string>> = {}, body: unknown = good) =>
  notify(body, { token, headers });
const to = (audience: unknown) => ({ ...good, audience });

const rule = (header: string, sentence: string, expect: Expect, ...calls: readonly Call[]): Row => ({
  rule: sentence,
  path: `${NOTIFY} header.${header}`,
  kind: 'rule',
  cases: calls.map((one) => ({ call: one, expect })),
});

/** Changes the last character, so that the checksum is wrong. */
const misspelt = (token: string) => token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));

const appRows: readonly Row[] = [
  rule(
    'app_id',
    'app_id: rejects a missing header, with a message about proxies that drop headers with underscores: 10002',
    refused(10002, /app_id.*underscores_in_headers/),
    notify(good, { app: null }),
  ),
  rule(
    'app_id',
    'app_id: treats a blank header as missing: 10002',
    refused(10002, /app_id/),
    notify(good, { app: '' }),
    notify(good, { app: '  ' }),
  ),
  rule(
    'app_id',
    'app_id: rejects an unknown app: 40000',
    refused(40000),
    notify(good, { app: 'nowhere' }),
    notify(good, { app: 'BELLS' }),
  ),
  rule(
    'app_id',
    'app_id: rejects a disabled app like an unknown app: 40000',
    refused(40000),
    notify(good, { app: apps.disabled }),
  ),
  rule(
    'app_id',
    'app_id: is checked before the token: 40000',
    refused(40000),
    notify(good, { app: 'nowhere', token: null }),
  ),
];

const tokenRows: readonly Row[] = [
  rule('access-token', 'access-token: rejects a missing header: 10003', refused(10003), call(null)),
  rule('access-token', 'access-token: treats a blank header as missing: 10003', refused(10003), call(''), call('  ')),
  rule(
    'access-token',
    'access-token: rejects a malformed token: 10008',
    refused(10008),
    call('garbage'),
    call('x'.repeat(500)),
    call('ca_'),
    call('null'),
  ),
  rule(
    'access-token',
    'access-token: rejects a token with a wrong checksum: 10008',
    refused(10008),
    call(misspelt(tokens.admin)),
    call(misspelt(tokens.ann)),
    call(tokens.admin.slice(0, -1)),
  ),
  rule(
    'access-token',
    'access-token: rejects a token that was never issued: 10008',
    refused(10008),
    call(tokens.adminUnknown),
    call(tokens.userUnknown),
  ),
  rule('access-token', 'access-token: rejects a push token: 10008', refused(10008), call(devices.ann.pushToken)),
  rule(
    'access-token',
    'access-token: rejects a token of another app: 10008',
    refused(10008),
    call(tokens.otherAdmin),
    call(tokens.otherUser),
  ),
  rule(
    'access-token',
    'access-token: rejects a token of this app in another app: 10008',
    refused(10008),
    notify(good, { app: apps.other }),
    notify(good, { app: apps.other, token: tokens.ann }),
  ),
  rule('access-token', 'access-token: rejects an expired admin token: 402', refused(402), call(tokens.adminExpired)),
  rule('access-token', 'access-token: rejects an expired user token: 402', refused(402), call(tokens.annExpired)),
  rule('access-token', 'access-token: accepts an admin token that has not expired yet', ok, call(tokens.adminLasting)),
  rule('access-token', 'access-token: rejects a revoked admin token: 10008', refused(10008), call(tokens.adminRevoked)),
  rule(
    'access-token',
    'access-token: rejects the token of a disabled user: 10008',
    refused(10008),
    call(tokens.disabled),
  ),
  rule('access-token', 'access-token: is case-sensitive: 10008', refused(10008), call(tokens.admin.toUpperCase())),
];

const author = (name: string, groupId: bigint | null = null) => stored({ author: name, groupId });
const user = (userId: bigint | string) => ({ user_id: userId.toString() });
const group = (groupId: bigint | string) => ({ group_id: groupId.toString() });
const notIds = ['nobody', '7.5', '0x7', '7 8', '7, 7', '+7', '9223372036854775808', '-9223372036854775809'];

const adminRows: readonly Row[] = [
  rule('user_id', 'admin token, neither header: the author is the admin', author('admin'), call(tokens.admin)),
  rule(
    'user_id',
    'admin token, user_id: the author is that user',
    author('user:7'),
    call(tokens.admin, user(ann.userId)),
  ),
  rule(
    'user_id',
    'admin token, the largest user_id: all digits are kept',
    author('user:9223372036854775807'),
    call(tokens.admin, user(INT64_MAX)),
  ),
  rule(
    'user_id',
    'admin token, user_id: the audience is not limited to that user',
    author('user:7'),
    call(tokens.admin, user(ann.userId), to('all')),
    call(tokens.admin, user(ann.userId), to({ user_id: [bob.userId] })),
  ),
  rule(
    'user_id',
    'admin token, unknown user_id: 10000',
    refused(10000),
    call(tokens.admin, user(NOBODY)),
    call(tokens.admin, user('-1')),
    call(tokens.admin, user(INT64_MAX - 1n)),
  ),
  rule(
    'user_id',
    'admin token, user_id of a disabled user: 10000',
    refused(10000),
    call(tokens.admin, user(users.disabled.userId)),
  ),
  rule(
    'user_id',
    'admin token, user_id that is not an int64: 10002',
    refused(10002, /user_id/),
    ...notIds.map((id) => call(tokens.admin, user(id))),
  ),
  rule(
    'user_id',
    'admin token, blank user_id: the author is the admin',
    author('admin'),
    call(tokens.admin, user('')),
    call(tokens.admin, user('  ')),
  ),
  rule(
    'group_id',
    'admin token, group_id: the task is limited to that group',
    author('group:3', groups.choir),
    call(tokens.admin, group(groups.choir)),
    call(tokens.admin, group(groups.choir), to('all')),
  ),
  rule(
    'group_id',
    'admin token, the largest group_id: all digits are kept',
    author('group:9223372036854775807', groups.last),
    call(tokens.admin, group(groups.last)),
  ),
  rule(
    'group_id',
    'admin token, unknown group_id: 20001',
    refused(20001),
    call(tokens.admin, group(NO_GROUP)),
    call(tokens.admin, group('-3')),
    call(tokens.admin, group(INT64_MAX - 1n)),
  ),
  rule(
    'group_id',
    'admin token, group_id of another app: 20001',
    refused(20001),
    notify(good, { app: apps.other, token: tokens.otherAdmin, headers: group(groups.choir) }),
  ),
  rule(
    'group_id',
    'admin token, group_id that is not an int64: 10002',
    refused(10002, /group_id/),
    ...notIds.map((id) => call(tokens.admin, group(id))),
  ),
  rule(
    'group_id',
    'admin token, blank group_id: the author is the admin',
    author('admin'),
    call(tokens.admin, group('')),
    call(tokens.admin, group('  ')),
  ),
  rule(
    'group_id',
    'admin token, both headers: 10002',
    refused(10002, /not both/),
    call(tokens.admin, { ...user(ann.userId), ...group(groups.choir) }),
    call(tokens.admin, { ...user(NOBODY), ...group(NO_GROUP) }),
  ),
  rule(
    'group_id',
    'admin token, user_id and a blank group_id: the author is that user',
    author('user:7'),
    call(tokens.admin, { ...user(ann.userId), ...group(' ') }),
  ),
  rule(
    'group_id',
    'admin token, group_id and a blank user_id: the task is limited to that group',
    author('group:3', groups.choir),
    call(tokens.admin, { ...user(''), ...group(groups.choir) }),
  ),
];

const userRows: readonly Row[] = [
  rule('user_id', 'user token, neither header: the author is the user', author('user:7'), call(tokens.ann)),
  rule(
    'user_id',
    'user token, its own user_id: the author is the user',
    author('user:7'),
    call(tokens.ann, user(ann.userId)),
  ),
  rule(
    'user_id',
    'user token, its own user_id with the largest value: the author is the user',
    author('user:9223372036854775807'),
    call(tokens.last, user(INT64_MAX), to({ user_id: [INT64_MAX] })),
  ),
  rule(
    'user_id',
    'user token, user_id of another user: 10010',
    refused(10010),
    call(tokens.ann, user(bob.userId)),
    call(tokens.ann, user(NOBODY)),
    call(tokens.last, user(INT64_MAX - 1n)),
  ),
  rule(
    'user_id',
    'user token, user_id that is not an int64: 10002',
    refused(10002, /user_id/),
    ...notIds.map((id) => call(tokens.ann, user(id))),
  ),
  rule(
    'user_id',
    'user token, blank user_id: the author is the user',
    author('user:7'),
    call(tokens.ann, user('')),
    call(tokens.ann, user('  ')),
  ),
  rule(
    'group_id',
    'user token, group_id: 10010',
    refused(10010),
    call(tokens.ann, group(groups.choir)),
    call(tokens.ann, group(NO_GROUP)),
  ),
  rule(
    'group_id',
    'user token, group_id that is not an int64: 10002',
    refused(10002, /group_id/),
    ...notIds.map((id) => call(tokens.ann, group(id))),
  ),
  rule(
    'group_id',
    'user token, blank group_id: the author is the user',
    author('user:7'),
    call(tokens.ann, group('')),
    call(tokens.ann, group('  ')),
  ),
  rule(
    'group_id',
    'user token, both headers: 10002',
    refused(10002, /not both/),
    call(tokens.ann, { ...user(ann.userId), ...group(groups.choir) }),
    call(tokens.ann, { ...user(bob.userId), ...group(groups.choir) }),
  ),
];

export const callerGroup: readonly Row[] = [...appRows, ...tokenRows, ...adminRows, ...userRows];
