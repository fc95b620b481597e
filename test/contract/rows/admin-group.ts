import { listedGroup, userAppAdmins, userApps } from './fixture-users.ts';
import { apps, groups, NOBODY, tokens, users } from './fixtures.ts';
import { pagedRows } from './paged-lists.ts';
import { good, notify } from './push-notify.ts';
import {
  type Call,
  type Expect,
  fieldRows,
  fromResponse,
  INT64_MAX,
  INT64_MIN,
  notInt64,
  notText,
  ok,
  type Row,
  refused,
} from './row.ts';
import {
  bodyRows,
  chosenAfter,
  createdGroupId,
  createGroup,
  createUser,
  findUser,
  idRows,
  manage,
  notStorable,
  rule,
  rules,
} from './user-calls.ts';

const CREATE = '/admin/group/create';
const LIST = '/admin/group/list';
const ADD = '/admin/group/add';
const MEMBERS = '/admin/group/members';
const REMOVE = '/admin/group/remove';
const DELETE = '/admin/group/delete';

const nothing: Expect = { code: 200, text: /^\{"code":200,"data":\{\},"message":null\}$/ };
const on = (path: string, body: object = {}): Call => manage(path, { group_id: createdGroupId, ...body });
const members = (...ids: readonly unknown[]): Expect => ({ code: 200, rows: ids, data: { next: null } });
const inOther = { app: apps.other, token: tokens.otherAdmin };
const { ann, bob, last } = users;

const mintedId: Expect = { code: 200, data: { group_id: /^[1-9]\d{5,15}$/ } };
const createFields = { path: CREATE, token: tokens.manage, body: { name: 'a group' }, taken: () => mintedId };

const create: readonly Row[] = [
  ...bodyRows([], createGroup({ group_id: 41_001 }), { code: 200, data: { group_id: 41_001 } }),
  ...fieldRows(
    { ...createFields, taken: (_name, value) => ({ code: 200, data: { group_id: value } }), blank: () => mintedId },
    {
      name: 'group_id',
      takes: { 'any int64 above zero': [1, 9_007_199_254_740_993n, INT64_MAX - 1_000n] },
      refuses: { 'zero and below': [10002, 0, -1, INT64_MIN], 'a value that is not an int64': [10002, ...notInt64] },
    },
  ),
  ...fieldRows(createFields, {
    name: 'name',
    takes: { 'up to 128 characters of any script': ['x', '合唱团', '😀'.repeat(128)] },
    refuses: {
      'a value that is not a string': [10002, ...notText],
      'NUL characters and unpaired surrogates': [10002, ...notStorable],
      'more than 128 characters': [12009, 'x'.repeat(129)],
    },
  }),
  rule(
    CREATE,
    'rejects the ID of an existing group: 10004',
    [],
    createGroup({ group_id: groups.choir }),
    refused(10004),
  ),
  rule(
    CREATE,
    'a rejected request leaves the existing group unchanged',
    [createGroup({ group_id: groups.choir, name: 'stolen' })],
    manage(LIST, { after: groups.choir - 1n, limit: 1 }),
    { code: 200, rows: [{ group_id: groups.choir, name: 'choir' }] },
  ),
  rule(
    CREATE,
    'accepts the ID of a group in another app',
    [],
    createGroup({ group_id: groups.choir }, { app: userApps.german, token: userAppAdmins.german }),
    { code: 200, data: { group_id: groups.choir } },
  ),
  rule(
    CREATE,
    'accepts a name that another group has',
    [createGroup({ name: 'twins' })],
    createGroup({ name: 'twins' }),
    mintedId,
  ),
  rule(
    CREATE,
    'stores a name unchanged, including spaces',
    [createGroup({ group_id: 41_002, name: ' the band ' })],
    manage(LIST, { after: 41_001, limit: 1 }),
    { code: 200, rows: [{ group_id: 41_002, name: ' the band ' }] },
  ),
  rule(CREATE, 'a new group has no members', [createGroup()], on(MEMBERS), members()),
  rule(
    CREATE,
    'returns the largest ID with all digits',
    [],
    createGroup({ group_id: INT64_MAX }, { app: userApps.open, token: userAppAdmins.open }),
    { code: 200, text: /"group_id":9223372036854775807[,}]/ },
  ),
  rule(
    CREATE,
    'generated IDs skip the IDs that callers have chosen',
    [createGroup(), ...chosenAfter('group_id', createGroup)],
    createGroup(),
    mintedId,
  ),
  rule(
    CREATE,
    'an admin token with the group_id header of the new group is limited to its members',
    [createGroup({ group_id: 41_003 })],
    notify(good, { headers: { group_id: '41003' } }),
    { code: 200, task: { author: 'group:41003', groupId: 41_003n } },
  ),
  rule(CREATE, 'ignores unknown fields', [createGroup({ list: [7], app_id: 'other-app' })], on(MEMBERS), members()),
];

const list: readonly Row[] = [
  ...pagedRows({
    path: LIST,
    inRoll: {},
    inCrowd: {},
    rowOf: (group_id) => ({ group_id, name: `group ${group_id}` }),
  }),
  rule(
    LIST,
    'accepts a request without a body',
    [],
    { path: LIST, app: userApps.crowd, token: userAppAdmins.crowd },
    { code: 200, data: { next: 100 } },
  ),
  ...pagedRows({
    path: MEMBERS,
    inRoll: { group_id: listedGroup },
    inCrowd: { group_id: 1 },
    rowOf: (userId) => userId,
  }),
  ...idRows(
    { path: MEMBERS, token: tokens.manage, before: [createGroup()], body: {}, taken: () => members() },
    'group_id',
  ),
  rule(
    MEMBERS,
    'does not find a group of another app: 20001',
    [],
    manage(MEMBERS, { group_id: listedGroup }, inOther),
    refused(20001),
  ),
];

/** Rows that adding and removing members have in common: a group and a list of users. */
function listRows(path: string): readonly Row[] {
  const before = [createGroup()];
  const about = `${path} body.list`;
  const people500 = new Array(500).fill(ann.userId);
  const tries = (lists: readonly unknown[], expect: Expect) =>
    lists.map((one) => ({ before, call: on(path, { list: one }), expect }));
  return [
    ...bodyRows(before, on(path, { list: [ann.userId] }), nothing),
    ...idRows({ path, token: tokens.manage, before, body: { list: [ann.userId] }, taken: () => nothing }, 'group_id'),
    ...fieldRows(
      { path, token: tokens.manage, before, body: { group_id: createdGroupId }, taken: () => nothing },
      {
        name: 'list',
        takes: {
          'up to 500 users, including duplicates': [[ann.userId], [ann.userId, bob.userId, ann.userId], people500],
        },
        refuses: {
          'a value that is not a list': [10002, 7, '7', true, { 0: 7 }],
          'more than 500 items of any kind': [12005, [...people500, ann.userId], new Array(501).fill('x')],
        },
      },
    ),
    {
      rule: `${about}[] accepts the ID of any user`,
      path: `${about}[]`,
      kind: 'legal',
      cases: tries([[last.userId, ann.userId]], nothing),
    },
    {
      rule: `${about}[] rejects blank items and items that are not an int64: 10002`,
      path: `${about}[]`,
      kind: 'illegal',
      cases: tries(
        [...notInt64, null, '', '  ', [], {}].map((one) => [ann.userId, one]),
        refused(10002),
      ),
    },
    rule(
      path,
      'does not find a group of another app: 20001',
      [],
      manage(path, { group_id: groups.choir, list: [7] }, inOther),
      refused(20001),
    ),
    rule(
      path,
      'a request without permission changes nothing',
      [
        createGroup(),
        on(ADD, { list: [ann.userId] }),
        ...[tokens.push, tokens.scopeless, tokens.ann, tokens.otherAdmin].flatMap((one) => [
          { ...on(ADD, { list: [bob.userId] }), token: one },
          { ...on(REMOVE, { list: [ann.userId] }), token: one },
        ]),
        { ...on(path, { list: [bob.userId] }), headers: { group_id: '3' } },
      ],
      on(MEMBERS),
      members(ann.userId),
    ),
  ];
}

const add: readonly Row[] = [
  ...listRows(ADD),
  rule(
    ADD,
    'adds each user once, and the members are ordered by ID',
    [createGroup(), on(ADD, { list: [last.userId, bob.userId, ann.userId, bob.userId] })],
    on(MEMBERS),
    members(ann.userId, bob.userId, last.userId),
  ),
  rule(
    ADD,
    'keeps existing members',
    [createGroup(), on(ADD, { list: [ann.userId] }), on(ADD, { list: [ann.userId, bob.userId] })],
    on(MEMBERS),
    members(ann.userId, bob.userId),
  ),
  rules(ADD, 'adds no members if one user does not exist: 10000', [
    ...[NOBODY, 0, -1, INT64_MIN, INT64_MAX - 1n].map((one) => ({
      before: [createGroup()],
      call: on(ADD, { list: [ann.userId, one] }),
      expect: refused(10000, /No members were added/),
    })),
    {
      before: [createGroup(), on(ADD, { list: [ann.userId, NOBODY, bob.userId] })],
      call: on(MEMBERS),
      expect: members(),
    },
  ]),
  rule(
    ADD,
    'rejects a user of another app: 10000',
    [createGroup(), createUser({}, { app: userApps.open, token: userAppAdmins.open })],
    on(ADD, { list: [fromResponse(1, 'user_id')] }),
    refused(10000),
  ),
  rule(
    ADD,
    'accepts a disabled user',
    [createGroup(), on(ADD, { list: [users.disabled.userId] })],
    on(MEMBERS),
    members(users.disabled.userId),
  ),
  rule(
    ADD,
    'a user can be a member of several groups',
    [createGroup(), on(ADD, { list: [bob.userId] })],
    manage(MEMBERS, { group_id: groups.band }),
    members(bob.userId),
  ),
];

const remove: readonly Row[] = [
  ...listRows(REMOVE),
  rule(
    REMOVE,
    'removes the listed members and keeps the others',
    [createGroup(), on(ADD, { list: [ann.userId, bob.userId] }), on(REMOVE, { list: [ann.userId] })],
    on(MEMBERS),
    members(bob.userId),
  ),
  rule(
    REMOVE,
    'ignores users who are not members or do not exist',
    [createGroup(), on(ADD, { list: [ann.userId] }), on(REMOVE, { list: [ann.userId, bob.userId, NOBODY] })],
    on(MEMBERS),
    members(),
  ),
  rule(REMOVE, 'can be repeated', [createGroup(), on(REMOVE, { list: [7] })], on(REMOVE, { list: [7] }), nothing),
  rule(
    REMOVE,
    'keeps the user in other groups',
    [createGroup(), on(ADD, { list: [ann.userId] }), on(REMOVE, { list: [ann.userId] })],
    manage(MEMBERS, { group_id: groups.choir }),
    members(ann.userId),
  ),
];

const remaining: readonly Row[] = [
  ...bodyRows([createGroup()], on(DELETE), nothing),
  ...idRows(
    { path: DELETE, token: tokens.manage, before: [createGroup()], body: {}, taken: () => nothing },
    'group_id',
  ),
  rule(DELETE, 'a deleted group is not found: 20001', [createGroup(), on(DELETE)], on(MEMBERS), refused(20001)),
  rule(DELETE, 'rejects a second deletion: 20001', [createGroup(), on(DELETE)], on(DELETE), refused(20001)),
  rule(
    DELETE,
    'rejects requests with the group_id header of a deleted group: 20001',
    [createGroup({ group_id: 41_004 }), on(DELETE)],
    notify(good, { headers: { group_id: '41004' } }),
    refused(20001),
  ),
  rule(
    DELETE,
    'does not delete the members',
    [createGroup(), createUser(), on(ADD, { list: [fromResponse(1, 'user_id')] }), on(DELETE)],
    findUser({ user_id: fromResponse(1, 'user_id') }),
    ok,
  ),
  rule(
    DELETE,
    'the ID of a deleted group cannot be reused, because older tasks are restricted to it: 10004',
    [createGroup({ group_id: 41_005 }), on(ADD, { list: [7] }), on(DELETE)],
    createGroup({ group_id: 41_005 }),
    refused(10004),
  ),
  rule(
    DELETE,
    'does not delete a group of another app: 20001',
    [],
    manage(DELETE, { group_id: groups.choir }, inOther),
    refused(20001),
  ),
  rule(
    DELETE,
    'a request without permission changes nothing',
    [
      createGroup(),
      ...[tokens.push, tokens.scopeless, tokens.ann, tokens.otherAdmin].map((one) => ({ ...on(DELETE), token: one })),
      { ...on(DELETE), headers: { group_id: '3' } },
    ],
    on(MEMBERS),
    members(),
  ),
];

export const adminGroupGroup: readonly Row[] = [...create, ...list, ...add, ...remove, ...remaining];
