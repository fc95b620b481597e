import { type UserApp, userAppAdmins, userApps } from './fixture-users.ts';
import { type Call, type Expect, INT64_MAX, type Row } from './row.ts';
import { rule as ruleOf } from './user-calls.ts';

/** Audit entries for calls that change users and groups. Each row uses its own app. */

const LIST = '/admin/audit/list';
const rule = (sentence: string, before: readonly Call[], call: Call, expect: Expect) =>
  ruleOf(LIST, sentence, before, call, expect);

const by =
  (name: UserApp) =>
  (path: string, body: unknown, call: Partial<Call> = {}): Call => ({
    path,
    app: userApps[name],
    token: userAppAdmins[name],
    body,
    ...call,
  });

/** Expects one audit entry per call, and a second one for a generated ID. Pass the entries in the order of the calls; the list returns the latest first. */
const recorded = (...entries: readonly (readonly [operation: string, detail: string | RegExp])[]): Expect => ({
  code: 200,
  rows: entries.map(([operation, detail]) => ({ operation, detail })).reverse(),
});

const one = by('audited1');
const two = by('audited2');
const three = by('audited3');
const four = by('audited4');
const password = 'never to be recorded';

export const adminAuditUserGroup: readonly Row[] = [
  rule(
    'records every change to a user with its operation and user ID, but without names or passwords',
    [
      one('/admin/user/create', { user_id: 1, name: 'ada', mobile: '13800138000', email: 'ada@example.com', password }),
      one('/admin/user/create', { user_id: INT64_MAX }),
      one('/admin/user/update', { user_id: 1, name: 'augusta', remove: ['mobile'] }),
      one('/admin/user/password', { user_id: 1, password }),
      one('/admin/user/token', { user_id: 1, device_guid: 'audited-phone' }),
      one('/admin/user/kick', { user_id: 1 }),
      one('/admin/user/disable', { user_id: 1 }),
      one('/admin/user/enable', { user_id: 1 }),
      one('/admin/user/export', { user_id: 1 }),
      one('/admin/user/delete', { user_id: INT64_MAX }),
      one('/admin/user/erase', { user_id: 1 }),
    ],
    one(LIST, {}),
    recorded(
      ['/admin/user/create', '{"user_id":1}'],
      ['/admin/user/create', '{"user_id":9223372036854775807}'],
      ['/admin/user/update', '{"user_id":1}'],
      ['/admin/user/password', '{"user_id":1}'],
      ['/admin/user/token', '{"user_id":1}'],
      ['/admin/user/kick', '{"user_id":1}'],
      ['/admin/user/disable', '{"user_id":1}'],
      ['/admin/user/enable', '{"user_id":1}'],
      ['/admin/user/export', '{"user_id":1}'],
      ['/admin/user/delete', '{"user_id":9223372036854775807}'],
      ['/admin/user/erase', '{"user_id":1}'],
    ),
  ),
  rule(
    'records every change to a group with the group ID',
    [
      two('/admin/group/create', { group_id: 5, name: 'choir' }),
      two('/admin/group/create', { name: 'group with a generated ID' }),
      two('/admin/group/remove', { group_id: 5, list: [1] }),
      two('/admin/group/delete', { group_id: 5 }),
    ],
    two(LIST, {}),
    recorded(
      ['/admin/group/create', '{"group_id":5}'],
      ['/admin/group/create', '{}'],
      ['/admin/group/create', /^{"group_id":\d+}$/],
      ['/admin/group/remove', '{"group_id":5}'],
      ['/admin/group/delete', '{"group_id":5}'],
    ),
  ),
  rule(
    'records calls for users and groups that do not exist, but no reads and no calls rejected for their format or caller',
    [
      three('/admin/user/find', { user_id: 1 }),
      three('/admin/user/list', {}),
      three('/admin/group/list', {}),
      three('/admin/group/members', { group_id: 1 }),
      three('/admin/user/kick', { user_id: 'x' }),
      three('/admin/user/kick', { user_id: 2 }, { headers: { group_id: '1' } }),
      three('/admin/user/kick', { user_id: 3 }, { token: userAppAdmins.audited1 }),
      three('/admin/user/kick', { user_id: 4 }),
      three('/admin/group/add', { group_id: 6, list: [1] }),
    ],
    three(LIST, {}),
    recorded(['/admin/user/kick', '{"user_id":4}'], ['/admin/group/add', '{"group_id":6}']),
  ),
  rule(
    'returns the time, token and address of each entry, and omits calls with user tokens',
    [
      four('/admin/user/create', { user_id: 1 }),
      four('/admin/user/token', { user_id: 1 }),
      {
        path: '/token/logout',
        app: userApps.audited4,
        token: ({ responses }) => (responses[1] as { token: string }).token,
      },
      four('/admin/user/kick', { user_id: 1 }),
    ],
    four(LIST, { limit: 1 }),
    {
      code: 200,
      rows: [{ operation: '/admin/user/kick', token_name: userApps.audited4, address: '127.0.0.1' }],
      text: /"list":\[\{"audit_id":\d+,"at":1\d{12},"token_id":\d+,/,
      data: { next: /^\d+$/ },
    },
  ),
];
