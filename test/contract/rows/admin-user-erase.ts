import { createAppCall, inApp } from './fixture-devices.ts';
import { tokens } from './fixtures.ts';
import { pagingFields } from './paged-lists.ts';
import { type Call, type Expect, fieldRows, fromResponse, notInt64, notText, ok, type Row, refused } from './row.ts';
import {
  bodyRows,
  createdUserId,
  createUser,
  findUser,
  idRows,
  logInCreatedUser,
  manage,
  rule,
  rules,
  use,
} from './user-calls.ts';

/**
 * Erasure and export of users. The work of a worker is tested in `test/security/personal-data.test.ts`; these tests run
 * without a worker.
 */

const ERASE = '/admin/user/erase';
const LIST = '/admin/user/erasures';
const EXPORT = '/admin/user/export';
const erase: Call = manage(ERASE, { user_id: createdUserId });
const list: Call = manage(LIST, { user_id: createdUserId });
const exportUser = (body: object = {}): Call => manage(EXPORT, { user_id: createdUserId, ...body });
const startedFor = (databases: number): Expect => ({
  code: 200,
  data: {
    user_id: createdUserId,
    state: databases > 0 ? 'devices' : 'records',
    databases_left: databases,
    done_at: null,
  },
});
const started = startedFor(0);
const existing = { token: tokens.manage, before: [createUser()], body: { user_id: createdUserId } };

const erasing: readonly Row[] = [
  ...bodyRows([createUser()], erase, started),
  ...idRows({ path: ERASE, ...existing, taken: () => started }, 'user_id'),
  rules(ERASE, 'an erased user is not found and cannot log in: 10000', [
    { before: [createUser(), erase], call: findUser({ user_id: createdUserId }), expect: refused(10000) },
    { before: [createUser(), erase], call: logInCreatedUser(), expect: refused(10000) },
    { before: [createUser(), erase], call: exportUser(), expect: refused(10000) },
  ]),
  rule(
    ERASE,
    'the access tokens of an erased user are rejected: 10008',
    [createUser(), logInCreatedUser({ device_guid: 'erasure-1' }), erase],
    use(fromResponse(1, 'token')),
    refused(10008),
  ),
  rule(
    ERASE,
    'counts the databases with devices of the user',
    [createUser(), logInCreatedUser({ device_guid: 'erasure-2' })],
    erase,
    startedFor(1),
  ),
  rule(
    ERASE,
    'the ID of an erased user cannot be reused: 10004',
    [createUser({ user_id: 34_001 }), erase],
    createUser({ user_id: 34_001 }),
    refused(10004),
  ),
  rule(ERASE, 'a repeated call returns the same erasure', [createUser(), erase], erase, {
    ...started,
    data: { ...started.data, erasure_id: fromResponse(1, 'erasure_id'), requested_at: fromResponse(1, 'requested_at') },
  }),
  rule(
    ERASE,
    'erases a user who was deleted before',
    [createUser(), manage('/admin/user/delete', { user_id: createdUserId })],
    erase,
    started,
  ),
];

const listing: readonly Row[] = [
  ...bodyRows([createUser(), erase], list, { code: 200, rows: [{ user_id: createdUserId }] }),
  ...fieldRows(
    { path: LIST, token: tokens.manage, before: [createUser(), erase], body: {}, taken: () => ok, blank: () => ok },
    {
      name: 'user_id',
      takes: { 'any int64': [createdUserId, 0, -1] },
      refuses: { 'a value that is not an int64': [10002, ...notInt64] },
    },
  ),
  ...pagingFields.flatMap((field) =>
    fieldRows({ path: LIST, token: tokens.manage, body: {}, taken: () => ok, blank: () => ok }, field),
  ),
  rule(LIST, 'returns an empty list for a user who was not erased', [createUser()], list, { code: 200, rows: [] }),
  rule(
    LIST,
    'returns the latest erasure first, one page at a time',
    [
      createAppCall('erasing-app'),
      ...[1, 2].map((userId) => inApp('erasing-app', '/admin/user/create', { user_id: userId })),
      ...[1, 2].map((userId) => inApp('erasing-app', ERASE, { user_id: userId })),
    ],
    inApp('erasing-app', LIST, { limit: 1 }),
    { code: 200, rows: [{ user_id: 2 }], data: { next: fromResponse(4, 'erasure_id') } },
  ),
];

const exporting: readonly Row[] = [
  ...bodyRows([createUser()], exportUser(), { code: 200, rows: [{ kind: 'user' }] }),
  ...idRows({ path: EXPORT, ...existing, taken: () => ok }, 'user_id'),
  ...fieldRows(
    { path: EXPORT, ...existing, taken: () => ok, blank: () => ({ code: 200, rows: [{ kind: 'user' }] }) },
    {
      name: 'after',
      takes: {
        'a cursor from an earlier response': ['groups', 'tasks', 'tasks.115258093993985', 'counters', 'audit.1'],
      },
      refuses: {
        'a string that is not a cursor': [
          10002,
          'x',
          'tasks.',
          'tasks.-1',
          'tasks.1.2',
          'Tasks',
          'tasks.9999999999999999999',
        ],
        'a value that is not a string': [10002, ...notText],
        'more than 64 characters': [12009, 't'.repeat(65)],
      },
    },
  ),
  rule(
    EXPORT,
    'exports login names, access tokens and devices on the first page',
    [
      createUser({ user_id: 34_002, name: 'exported', email: 'exported@example.com' }),
      logInCreatedUser({ device_guid: 'exported-1' }),
      { path: '/device/bind', token: fromResponse(1, 'token'), body: { provider: 3, token: 'vendor-exported' } },
    ],
    exportUser(),
    {
      code: 200,
      rows: [{ kind: 'user' }, { kind: 'access_token' }, { kind: 'device' }],
      data: { next: 'groups' },
      text: /exported@example\.com.*exported-1.*vendor-exported/,
    },
  ),
  rule(
    EXPORT,
    'exports tasks to the user with their messages',
    [
      createUser(),
      { path: '/push/notify', body: { audience: { user_id: [createdUserId] }, message: { body: 'exported' } } },
    ],
    exportUser({ after: 'tasks.115258093993985' }),
    { code: 200, text: /\\"is_recipient\\":true.*\\"body\\":\\"exported\\"/ },
  ),
];

export const adminUserEraseGroup: readonly Row[] = [...erasing, ...listing, ...exporting];
