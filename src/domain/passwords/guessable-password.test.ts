import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonPasswords } from './common-passwords.ts';
import { isGuessable } from './guessable-password.ts';

const names = ['grace.hopper', 'grace@example.com', '+8613912345678', 'bells', 'Bells of Shandon', 'ada'];

const guessable = [
  ...['password', 'PASSWORD1!', 'P@$$w0rd', '2026welcome', 'Tru$tNo1', 'abcd1234', 'qwerty!!', 'aaaaaaaa', '12121212'],
  ...[
    'hgfedcba',
    '0987654321',
    '1Q2W3E4R',
    'GraceHopper',
    'grace.hopper1',
    '13912345678',
    'bellsofshandon',
    'bells!99',
  ],
  ...['grace@example.com', 'grace1906'],
];
for (const password of guessable) test(`${password} is easy to guess`, () => assert.ok(isGuessable(password, names)));

const allowed = [
  ...['correct horse battery staple', 'old password', 'ada-password', 'grace-password', 'nanoseconds', '        '],
  ...['é'.repeat(256), 'dragon72951', 'kT9#vLq2', 'qzxwvtrm', 'monkeys in the attic', '29471836', '密码不容易猜到啊'],
];
for (const password of allowed)
  test(`${password.slice(0, 30)} is not easy to guess`, () => assert.ok(!isGuessable(password, names)));

test('the list contains at least a thousand passwords in the form in which they are compared', () => {
  assert.ok(commonPasswords.size > 1_000, `${commonPasswords.size}`);
  for (const each of commonPasswords) assert.equal(each, each.normalize('NFKC').toLowerCase());
});
