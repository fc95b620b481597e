import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textToInt64 } from '#src/foundation/int64.ts';
import {
  type Access,
  actingUserOf,
  authorOf,
  type Caller,
  decideCaller,
  hasScope,
  mayNotify,
  requireAccess,
  type Scope,
  type TokenHolder,
  taskVisibilityOf,
  type UserPush,
} from './caller.ts';
import { Problem, type ProblemName } from './problem.ts';
import type { Audience } from './task.ts';

const LARGEST = 9_223_372_036_854_775_807n;

const adminToken: TokenHolder = { kind: 'admin', appId: 'bells', scopes: ['push'] };
const userToken: TokenHolder = { kind: 'user', appId: 'bells', userId: 7n, device: undefined, mayPush: true };

const admin = (...scopes: string[]): Caller => ({ kind: 'admin', appId: 'bells', scopes, onBehalfOf: undefined });
const group = (...scopes: string[]): Caller => ({ kind: 'group', appId: 'bells', scopes, groupId: 3n });
const user = (userId: bigint): Caller => ({ kind: 'user', appId: 'bells', userId, device: undefined, mayPush: true });
const people = (...userIds: bigint[]): Audience => ({ kind: 'user_id', userIds });
const phones: Audience = { kind: 'push_token', pushTokens: ['p00x'] };

const refuses = (problem: ProblemName, act: () => unknown) =>
  assert.throws(act, (error) => error instanceof Problem && error.problem === problem);
const nameOf = (caller: Caller) =>
  caller.kind === 'user' ? 'a user' : `${caller.kind} with [${caller.scopes.join(', ')}]`;

describe('caller of a request, from token and headers', () => {
  const cases: readonly (readonly [
    string,
    TokenHolder,
    string | undefined,
    string | undefined,
    Caller | ProblemName,
  ])[] = [
    ['an admin', adminToken, undefined, undefined, admin('push')],
    ['an admin with a user_id', adminToken, '9', undefined, { ...admin('push'), onBehalfOf: 9n } as Caller],
    ['an admin with a group_id', adminToken, undefined, '3', group('push')],
    ['an admin with blank headers', adminToken, ' ', '', admin('push')],
    ['an admin with both headers', adminToken, '9', '3', 'bad-parameter'],
    ['an admin with a user_id that is not a number', adminToken, 'nine', undefined, 'bad-parameter'],
    ['an admin with a user_id beyond int64', adminToken, '9223372036854775808', undefined, 'bad-parameter'],
    ['an admin with a group_id beyond int64', adminToken, undefined, '9223372036854775808', 'bad-parameter'],
    ['a user', userToken, undefined, undefined, userToken],
    ['a user with their own user_id', userToken, '7', undefined, userToken],
    ['a user with the user_id of another user', userToken, '8', undefined, 'no-permission'],
    ['a user with a group_id', userToken, undefined, '3', 'no-permission'],
    ['a user with both headers', userToken, '7', '3', 'bad-parameter'],
  ];
  for (const [what, holder, userId, groupId, expected] of cases) {
    test(`${what}: ${typeof expected === 'string' ? expected : expected.kind}`, () => {
      const decide = () => decideCaller(holder, { userId, groupId }, textToInt64);
      if (typeof expected === 'string') refuses(expected, decide);
      else assert.deepEqual(decide(), expected);
    });
  }
});

describe('scopes of admin tokens', () => {
  const forAll = (scope: Scope | null): Access => ({ access: 'token', scope });
  const cases: readonly (readonly [Caller, Scope, boolean])[] = [
    [admin('*'), 'push', true],
    [admin('*'), 'secrets', true],
    [admin('push'), 'push', true],
    [admin('push'), 'secrets', false],
    [admin('secrets'), 'push', false],
    [admin('secrets', 'push'), 'push', true],
    [admin(), 'push', false],
    [admin('pushy'), 'push', false],
    [group('push'), 'push', true],
    [group('push'), 'secrets', false],
    [admin('manage'), 'manage', true],
    [group('manage'), 'manage', false],
    [group('*'), 'manage', false],
  ];
  for (const [caller, scope, may] of cases) {
    test(`${nameOf(caller)} ${may ? 'has' : 'does not have'} ${scope}`, () => {
      if (may) requireAccess(caller, forAll(scope));
      else refuses('no-permission', () => requireAccess(caller, forAll(scope)));
    });
  }

  test('accepts any scopes if the operation requires none', () => {
    for (const caller of [admin(), admin('push'), group()]) requireAccess(caller, forAll(null));
  });

  test('does not check scopes of user tokens, and rejects user tokens for admin operations', () => {
    for (const scope of ['push', 'secrets', 'manage'] as const) {
      requireAccess(user(1n), forAll(scope));
      refuses('no-permission', () => requireAccess(user(1n), { access: 'admin', scope }));
    }
  });
});

describe('permission to notify an audience', () => {
  type Verdict = 'yes' | 'own-push-tokens' | 'no';
  const cases: readonly (readonly [string, Caller, Audience, UserPush, Verdict])[] = [
    ['an admin to any users', admin('*'), people(1n, 2n, 3n), 'none', 'yes'],
    ['an admin to all devices', admin('push'), { kind: 'all' }, 'self', 'yes'],
    ['an admin to any push token', admin('push'), phones, 'self', 'yes'],
    [
      'a group admin to all devices, which is limited to the group later',
      group('push'),
      { kind: 'all' },
      'self',
      'yes',
    ],
    ['a user to themselves', user(7n), people(7n), 'self', 'yes'],
    ['a user with the largest ID to themselves', user(LARGEST), people(LARGEST), 'self', 'yes'],
    [
      'a user to an adjacent ID that a JavaScript number cannot distinguish',
      user(LARGEST),
      people(LARGEST - 1n),
      'self',
      'no',
    ],
    ['a user to another user', user(7n), people(8n), 'self', 'no'],
    ['a user to themselves and another user', user(7n), people(7n, 8n), 'self', 'no'],
    ['a user to another user and themselves', user(7n), people(8n, 7n), 'self', 'no'],
    ['a user to push tokens, if they belong to the user', user(7n), phones, 'self', 'own-push-tokens'],
    ['a user to all devices', user(7n), { kind: 'all' }, 'self', 'no'],
    ['a user to a tag', user(7n), { kind: 'tag', names: ['t'] }, 'self', 'no'],
    ['a user to an alias', user(7n), { kind: 'alias', names: ['a'] }, 'self', 'no'],
    ['a user to themselves in an app where users may not push', user(7n), people(7n), 'none', 'no'],
    ['a user to push tokens in an app where users may not push', user(7n), phones, 'none', 'no'],
    ['a user to all devices in an app where users may push to anyone', user(7n), { kind: 'all' }, 'any', 'yes'],
    ['a user to any push token in an app where users may push to anyone', user(7n), phones, 'any', 'yes'],
  ];
  for (const [what, caller, audience, userPush, verdict] of cases) {
    test(`${what}: ${verdict}`, () => {
      const ask = () => mayNotify(caller, audience, userPush);
      if (verdict === 'no') refuses('no-permission', ask);
      else assert.equal(ask(), verdict);
    });
  }
});

test('records tasks under their author: one author for all admins, one per group and one per user', () => {
  assert.equal(authorOf(admin('*')), authorOf(admin('push')));
  const forUser7 = decideCaller(adminToken, { userId: '7', groupId: undefined }, textToInt64);
  assert.equal(authorOf(forUser7), authorOf(user(7n)));
  const authors = [admin('*'), group('*'), user(1n), user(2n), user(3n)].map(authorOf);
  assert.equal(new Set(authors).size, authors.length);
  assert.equal(authorOf(user(LARGEST)), 'user:9223372036854775807');
});

describe('management', () => {
  const cases: readonly (readonly [Caller, Scope, boolean])[] = [
    [admin('manage'), 'manage', true],
    [admin('*'), 'manage', true],
    [{ ...admin('manage'), onBehalfOf: 7n } as Caller, 'manage', true],
    [admin('push', 'secrets', 'platform'), 'manage', false],
    [group('manage'), 'manage', false],
    [group('*'), 'manage', false],
    [user(7n), 'manage', false],
    [admin('platform'), 'platform', true],
    [admin('*', 'platform'), 'platform', true],
    [admin('*'), 'platform', false],
    [admin('push', 'secrets', 'manage'), 'platform', false],
    [group('*', 'platform'), 'platform', false],
  ];
  for (const [caller, scope, allowed] of cases)
    test(`an operation with scope \`${scope}\` is ${allowed ? '' : 'not '}allowed for ${nameOf(caller)}`, () => {
      if (allowed) requireAccess(caller, { access: 'admin', scope });
      else refuses('no-permission', () => requireAccess(caller, { access: 'admin', scope }));
    });

  test('a token can grant only scopes that it has', () => {
    assert.ok(hasScope(['*'], '*') && hasScope(['*'], 'push') && hasScope(['platform'], 'platform'));
    assert.ok(!hasScope(['push', 'secrets', 'manage', 'platform'], '*'));
    assert.ok(!hasScope(['*'], 'platform') && !hasScope([], 'push'));
  });
});

test('on devices, a user acts for themselves, an admin for the user in the header, and a group admin for no user', () => {
  assert.equal(actingUserOf(user(7n)), 7n);
  assert.equal(actingUserOf({ ...admin('manage'), onBehalfOf: 9n } as Caller), 9n);
  assert.equal(actingUserOf(admin('manage')), undefined);
  assert.equal(actingUserOf(group('manage')), undefined);
});

describe('tasks that a caller can see', () => {
  const cases: readonly (readonly [string, Caller, ReturnType<typeof taskVisibilityOf>])[] = [
    ['an admin sees all tasks of the app', admin('push'), { kind: 'app' }],
    [
      'an admin on behalf of a user sees all tasks of the app',
      { ...admin('push'), onBehalfOf: 7n } as Caller,
      { kind: 'app' },
    ],
    ['a group admin sees the tasks of the group', group('push'), { kind: 'group', groupId: 3n }],
    ['a user sees their own tasks', user(7n), { kind: 'author', author: 'user:7' }],
  ];
  for (const [what, caller, sight] of cases) test(what, () => assert.deepEqual(taskVisibilityOf(caller), sight));
});
