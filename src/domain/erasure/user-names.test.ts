import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyJson } from '#src/foundation/json.ts';
import type { Audience } from '../task.ts';
import { parseTaskContent } from '../task-content.ts';
import { audiencePatterns, auditPatterns, ERASED_MESSAGE, type UserNames, withoutUser } from './user-names.ts';

const ada: UserNames = { userId: 42n, aliases: ['a"da'], pushTokens: ['p1', 'p2'], deviceGuids: ['phone'] };

const audiences: [audience: Audience, rest: Audience | undefined][] = [
  [{ kind: 'all' }, undefined],
  [{ kind: 'tag', names: ['a"da'] }, undefined],
  [{ kind: 'user_id', userIds: [4n, 142n, 421n] }, undefined],
  [
    { kind: 'user_id', userIds: [4n, 42n] },
    { kind: 'user_id', userIds: [4n] },
  ],
  [
    { kind: 'user_id', userIds: [42n, 42n] },
    { kind: 'user_id', userIds: [] },
  ],
  [
    { kind: 'push_token', pushTokens: ['p1', 'p2'] },
    { kind: 'push_token', pushTokens: [] },
  ],
  [
    { kind: 'alias', names: ['bob', 'a"da'] },
    { kind: 'alias', names: ['bob'] },
  ],
];

for (const [audience, rest] of audiences)
  test(`removes the user from ${stringifyJson(audience)}`, () => {
    const result = withoutUser(audience, ada);
    assert.deepEqual(result?.audience, rest);
    assert.equal(result?.isEmpty ?? false, rest !== undefined && Object.values(rest).some((list) => list.length === 0));
  });

test('finds every stored audience that names the user', () => {
  const { userId, texts } = audiencePatterns(ada);
  for (const [audience, rest] of audiences.filter(([, remaining]) => remaining !== undefined)) {
    const stored = stringifyJson(audience);
    // In PostgreSQL, a bracket expression that starts with `]` contains it. In JavaScript, it must be escaped.
    const isFound = new RegExp(userId.replace('[],]', '[\\],]')).test(stored) || texts.some((t) => stored.includes(t));
    assert.ok(isFound, `${stored} without ${stringifyJson(rest)}`);
  }
});

test('finds the audit entries of the user, and no others', () => {
  const isFound = (detail: object) => auditPatterns(ada).some((pattern) => stringifyJson(detail).includes(pattern));
  const own = [{ user_id: 42n }, { user_id: 42n, name: 'x' }, { alias: 'a"da' }, { push_token: 'p2' }];
  assert.deepEqual(
    [...own, { device_guid: 'phone', badge: 1 }].filter((detail) => !isFound(detail)),
    [],
  );
  const others = [
    { user_id: 421n },
    { user_id: 142n },
    { group_id: 42n },
    { device_guid: 'phone-2' },
    { name: 'a"da' },
  ];
  assert.deepEqual(others.filter(isFound), []);
});

test('an erased message is valid', () => {
  assert.equal(parseTaskContent('{"kind":"all"}', ERASED_MESSAGE).defect, undefined);
});
