import { createAppCall, inApp } from './fixture-devices.ts';
import { groups, NOBODY, tokens, users } from './fixtures.ts';
import { pagingFields } from './paged-lists.ts';
import { good, NOTIFY } from './push-notify.ts';
import { pushNotifyAudienceGroup } from './push-notify-audience.ts';
import { pushNotifyMessageGroup } from './push-notify-message.ts';
import { pushNotifyRuleGroup } from './push-notify-rules.ts';
import { pushNotifySettingGroup } from './push-notify-setting.ts';
import { pushNotifyVendorGroup } from './push-notify-vendors.ts';
import {
  type Call,
  type Case,
  type Expect,
  fieldRows,
  fromResponse,
  inSeconds,
  notInt64,
  notInteger,
  notText,
  ok,
  type Row,
  refused,
} from './row.ts';
import { bodyRows, rule } from './user-calls.ts';

const CREATE = '/push/draft/create';
const GET = '/push/draft/get';
const LIST = '/push/draft/list';
const APPROVE = '/push/draft/approve';
const REJECT = '/push/draft/reject';

/** The rows of `/push/notify`, sent to `/push/draft/create`, because both accept and reject the same requests. */
const sameRows: readonly Row[] = [
  ...pushNotifyAudienceGroup,
  ...pushNotifySettingGroup,
  ...pushNotifyMessageGroup,
  ...pushNotifyVendorGroup,
  ...pushNotifyRuleGroup,
]
  .filter((row) => row.kind !== 'rule')
  .map((row) => ({
    ...row,
    path: row.path.replace(NOTIFY, CREATE),
    rule: row.rule.includes(NOTIFY) ? row.rule.replace(NOTIFY, CREATE) : `${CREATE}: ${row.rule}`,
    cases: row.cases.map(drafted),
  }));

function drafted({ call, expect: { code, message } }: Case): Case {
  return { call: { ...call, path: CREATE }, expect: { code, ...(message && { message }) } };
}

const create = (call: Partial<Call> = {}): Call => ({ path: CREATE, token: tokens.admin, body: good, ...call });
const draftId = fromResponse(0, 'draft_id');
const onDraft = (path: string, more: object = {}, call: Partial<Call> = {}): Call => ({
  path,
  token: tokens.admin,
  body: { draft_id: draftId, ...more },
  ...call,
});
const choir = { headers: { group_id: groups.choir.toString() } };
const band = { headers: { group_id: groups.band.toString() } };

/** Creates an app with a second admin token, a device and a draft. The last response has the draft. */
const withDraft = (app: string, settings: object = {}, body: object = {}): readonly Call[] => [
  createAppCall(app, settings),
  inApp(app, '/admin/token/create', { name: 'second', scopes: ['push'] }),
  inApp(app, '/admin/user/create', { user_id: 5 }),
  inApp(app, '/admin/user/token', { user_id: 5, device_guid: 'phone' }),
  inApp(app, CREATE, { audience: 'all', message: { title: 'Hello' }, ...body }),
];
const ofApp = (app: string, path: string, more: object = {}, call: Partial<Call> = {}): Call =>
  inApp(app, path, { draft_id: fromResponse(4, 'draft_id'), ...more }, call);
const second = { token: fromResponse(1, 'token') };

const refusedCallers = (path: string, before: readonly Call[], call: Call): readonly Row[] => [
  rule(
    path,
    'rejects the access token of a user: 10010',
    before,
    { ...call, token: tokens.ann },
    {
      ...refused(10010, /admin token/),
    },
  ),
  rule(path, 'requires the push scope: 10010', before, { ...call, token: tokens.manage }, refused(10010, /push/)),
  rule(path, 'requires a token: 10003', before, { ...call, token: null }, refused(10003)),
];

/** Rows about operations on one draft. */
function draftIdRows(path: string): readonly Row[] {
  return [
    ...bodyRows([create()], onDraft(path)),
    ...fieldRows(
      { path, before: [create()], body: { draft_id: draftId }, taken: () => ok },
      {
        name: 'draft_id',
        takes: { 'an existing draft': [draftId] },
        refuses: { 'an unknown draft': [12012, NOBODY, 0, -1], 'a value that is not an int64': [10002, ...notInt64] },
      },
    ),
    rule(path, 'a group admin can use drafts of the group', [create(choir)], onDraft(path, {}, choir), ok),
    rule(path, 'an admin of the app can use drafts of a group', [create(choir)], onDraft(path), ok),
    rule(path, 'a group admin cannot see a draft of the app: 12012', [create()], onDraft(path, {}, choir), {
      ...refused(12012, /Draft not found/),
    }),
    rule(path, 'a group admin cannot see a draft of another group: 12012', [create(band)], onDraft(path, {}, choir), {
      ...refused(12012),
    }),
    ...refusedCallers(path, [create()], onDraft(path)),
  ];
}

const textField = (name: string) => ({
  name,
  takes: { 'up to 1,000 characters': ['x', '钟'.repeat(1_000)] },
  refuses: {
    'a value that is not a string': [10002, ...notText] as const,
    'NUL and unpaired surrogates': [10002, 'x\0', 'x\ud83d'] as const,
    'more than 1,000 characters': [12009, 'x'.repeat(1_001)] as const,
  },
});

const open = { decided_by: null, decided_by_kind: null, decided_by_id: null, decided_at: null, reason: null };

export const pushDraftCreateGroup: readonly Row[] = [
  ...sameRows,
  ...fieldRows(
    { path: CREATE, body: good, taken: (_, note) => noted(note), blank: () => noted(null) },
    textField('note'),
  ),
  rule(
    CREATE,
    'counts the devices, and returns the draft with the token that created it',
    withDraft('draft-record').slice(0, 4),
    inApp('draft-record', CREATE, { audience: 'all', message: { title: 'Hello' }, note: 'please' }),
    {
      code: 200,
      data: {
        ...{ state: 'open', author: 'admin', audience: 'all', title: 'Hello', note: 'please', devices: 1 },
        ...{ needs_approval: false, created_by: 'first admin', created_by_kind: 'admin', created_by_id: /^\d+$/ },
        ...{ created_at: /^\d{13}$/, expires_at: /^\d{13}$/, ...open, task_id: null },
      },
    },
  ),
  ...(
    [
      ['more devices than approval_above', 0, true],
      ['as many devices as approval_above', 1, false],
    ] as const
  ).map(([what, approvalAbove, needed]) =>
    rule(
      CREATE,
      `a draft for ${what} ${needed ? 'needs approval' : 'needs no approval'}`,
      withDraft(`draft-above-${approvalAbove}`, { approval_above: approvalAbove }).slice(0, 4),
      inApp(`draft-above-${approvalAbove}`, CREATE, { audience: 'all', message: { title: 'Hello' } }),
      { code: 200, data: { devices: 1, needs_approval: needed } },
    ),
  ),
  rule(CREATE, 'a draft of a group admin belongs to the group', [], create(choir), {
    code: 200,
    data: { author: `group:${groups.choir}` },
  }),
  rule(
    CREATE,
    'a draft that an admin creates on behalf of a user has that user as its author',
    [],
    create({ headers: { user_id: users.ann.userId.toString() } }),
    { code: 200, data: { author: `user:${users.ann.userId}` } },
  ),
  rule(CREATE, 'rejects a misspelled field: 10002', [], create({ body: { ...good, mesage: { body: 'x' } } }), {
    ...refused(10002, /did you mean message/),
  }),
  rule(CREATE, 'lists ignored fields', [], create({ body: { ...good, colour: 'red' } }), {
    code: 200,
    headers: { 'carillon-ignored-fields': /^colour$/ },
  }),
  ...refusedCallers(CREATE, [], create()),
];

function noted(note: unknown): Expect {
  return { code: 200, data: { note } };
}

export const pushDraftGroup: readonly Row[] = [
  ...draftIdRows(GET),
  rule(
    GET,
    'returns the request with every digit',
    [create({ body: { ...good, message: { body: 'x', ext: { id: 9_007_199_254_740_993n } } } })],
    onDraft(GET),
    { code: 200, data: { draft_id: draftId, request: /"ext":\{"id":9007199254740993\}/ } },
  ),

  ...bodyRows([], { path: LIST, token: tokens.admin, body: { limit: 5 } }),
  ...[
    ...pagingFields.filter(({ name }) => name !== 'limit'),
    {
      name: 'limit',
      takes: { '1 to 100': [1, 2, 100] },
      refuses: {
        'a number outside this range': [10002, 0, -1, 101, 2_147_483_648] as const,
        'a value that is not an int32': [10002, ...notInteger] as const,
      },
    },
    {
      name: 'state',
      takes: { 'each state': ['open', 'approved', 'rejected'] },
      refuses: {
        'another string': [10002, 'Open', 'held', ' open'] as const,
        'a value that is not a string': [10002, ...notText] as const,
      },
    },
  ].flatMap((field) => fieldRows({ path: LIST, body: {}, taken: () => ok, blank: () => ok }, field)),
  rule(
    LIST,
    'returns the latest drafts first',
    [...withDraft('draft-list'), inApp('draft-list', CREATE, { audience: { tag: ['t'] }, message: { body: 'x' } })],
    inApp('draft-list', LIST, {}),
    {
      code: 200,
      rows: [
        { draft_id: fromResponse(5, 'draft_id'), audience: 'tag', title: null },
        { draft_id: fromResponse(4, 'draft_id'), audience: 'all', title: 'Hello' },
      ],
      data: { next: null },
    },
  ),
  rule(
    LIST,
    'continues from `next`, page by page',
    [...withDraft('draft-pages'), inApp('draft-pages', CREATE, { audience: 'all', message: { body: 'x' } })],
    inApp('draft-pages', LIST, { limit: 1, after: fromResponse(5, 'draft_id') }),
    { code: 200, rows: [{ draft_id: fromResponse(4, 'draft_id') }], data: { next: null } },
  ),
  rule(
    LIST,
    'returns only drafts in the given state',
    [
      ...withDraft('draft-states'),
      inApp('draft-states', CREATE, { audience: 'all', message: { body: 'x' } }),
      ofApp('draft-states', REJECT, { reason: 'The price is wrong.' }, second),
    ],
    inApp('draft-states', LIST, { state: 'rejected' }),
    {
      code: 200,
      rows: [
        {
          ...{ draft_id: fromResponse(4, 'draft_id'), state: 'rejected', decided_by: 'second' },
          ...{ decided_by_id: fromResponse(1, 'token_id'), decided_at: /^\d{13}$/, reason: 'The price is wrong.' },
          task_id: null,
        },
      ],
    },
  ),
  rule(
    LIST,
    'a group admin sees the drafts of the group',
    [
      ...withDraft('draft-group'),
      inApp('draft-group', '/admin/group/create', { group_id: 9, name: 'nine' }),
      inApp('draft-group', CREATE, { audience: 'all', message: { body: 'x' } }, { headers: { group_id: '9' } }),
    ],
    inApp('draft-group', LIST, {}, { headers: { group_id: '9' } }),
    { code: 200, rows: [{ draft_id: fromResponse(6, 'draft_id'), author: 'group:9' }] },
  ),
  ...refusedCallers(LIST, [], { path: LIST, body: {} }),
];

export const pushDraftDecisionGroup: readonly Row[] = [
  ...draftIdRows(APPROVE),
  ...fieldRows(
    { path: APPROVE, before: [create()], body: { draft_id: draftId }, taken: () => ok, blank: () => ok },
    {
      name: 'hold_seconds',
      takes: { '0 to 300 seconds': [0, 300] },
      refuses: {
        'a value that is not an integer': [10002, ...notInteger],
        'a value out of range': [10002, -1, 301],
      },
    },
  ),
  rule(APPROVE, 'accepts the notification of the draft', [create()], onDraft(APPROVE), {
    code: 200,
    task: { message: { type: 'text', badge: '+1', ...good.message }, author: 'admin', groupId: null, due: 'now' },
  }),
  rule(APPROVE, 'the task has the author and the group of the draft', [create(choir)], onDraft(APPROVE), {
    code: 200,
    task: { author: `group:${groups.choir}`, groupId: groups.choir },
  }),
  rule(
    APPROVE,
    'the token that created a draft that needs approval cannot approve it: 12013',
    withDraft('approve-own', { approval_above: 0 }),
    ofApp('approve-own', APPROVE),
    refused(12013, /Ask another admin/),
  ),
  rule(
    APPROVE,
    'another token can approve it',
    withDraft('approve-other', { approval_above: 0 }),
    ofApp('approve-other', APPROVE, {}, second),
    ok,
  ),
  rule(
    APPROVE,
    'the token that created a small draft can approve it',
    withDraft('approve-small', { approval_above: 1 }),
    ofApp('approve-small', APPROVE),
    ok,
  ),
  rule(
    APPROVE,
    'a draft whose audience has grown above approval_above needs another token: 12013',
    [
      ...withDraft('approve-grown', { approval_above: 1 }),
      inApp('approve-grown', '/admin/user/token', { user_id: 5, device_guid: 'tablet' }),
    ],
    ofApp('approve-grown', APPROVE),
    refused(12013),
  ),
  rule(
    APPROVE,
    'a second approval returns the same task',
    [...withDraft('approve-twice'), ofApp('approve-twice', APPROVE)],
    ofApp('approve-twice', APPROVE, {}, second),
    { code: 200, data: { task_id: fromResponse(5, 'task_id') } },
  ),
  rule(
    APPROVE,
    'records the approver and the task',
    [...withDraft('approve-record', { approval_above: 0 }), ofApp('approve-record', APPROVE, {}, second)],
    ofApp('approve-record', GET),
    {
      code: 200,
      data: {
        ...{ state: 'approved', created_by: 'first admin', decided_by: 'second', decided_at: /^\d{13}$/ },
        ...{ decided_by_id: fromResponse(1, 'token_id'), task_id: fromResponse(5, 'task_id') },
      },
    },
  ),
  rule(
    APPROVE,
    'uses the request_id of the draft, so that a notification that was sent is not sent again',
    [
      { path: NOTIFY, token: tokens.admin, body: { ...good, setting: { request_id: 'draft-sent-before' } } },
      create({ body: { ...good, setting: { request_id: 'draft-sent-before' } } }),
    ],
    { path: APPROVE, token: tokens.admin, body: { draft_id: fromResponse(1, 'draft_id') } },
    { code: 200, data: { task_id: fromResponse(0, 'task_id') }, headers: { 'carillon-request': /^repeated/ } },
  ),
  rule(
    APPROVE,
    'a rejected draft cannot be approved: 12014',
    [create(), onDraft(REJECT)],
    onDraft(APPROVE),
    refused(12014, /create a new draft/),
  ),
  rule(
    APPROVE,
    'checks the time window again, from the time of the approval: 12010',
    [create({ body: { ...good, message: { body: 'x', show_end_time: inSeconds(200) } } })],
    onDraft(APPROVE, { hold_seconds: 300 }),
    refused(12010),
  ),

  ...draftIdRows(REJECT),
  ...fieldRows(
    { path: REJECT, before: [create()], body: { draft_id: draftId }, taken: () => ok, blank: () => ok },
    textField('reason'),
  ),
  rule(
    REJECT,
    'an approved draft cannot be rejected: 12014',
    [create(), onDraft(APPROVE)],
    onDraft(REJECT),
    refused(12014, /task\/cancel/),
  ),
  rule(
    REJECT,
    'a second rejection keeps the first reason',
    [create(), onDraft(REJECT, { reason: 'first' }), onDraft(REJECT, { reason: 'second' })],
    onDraft(GET),
    { code: 200, data: { state: 'rejected', reason: 'first' } },
  ),
];
