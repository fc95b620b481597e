import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emailOf, isCountry, loginNameOf, mobileOf, userNameOf } from './login-name.ts';

describe('mobile number', () => {
  for (const [text, country, stored] of [
    ['13800138000', 'CN', '+8613800138000'],
    ['138 0013-8000', 'CN', '+8613800138000'],
    ['+86 138 0013 8000', 'DE', '+8613800138000'],
    ['0086 13800138000', 'CN', '+8613800138000'],
    ['0151 23456789', 'DE', '+4915123456789'],
    ['(415) 555-2671', 'US', '+14155552671'],
    ['＋８６13800138000', 'CN', '+8613800138000'],
    ['(+86) 138.0013/8000', 'CN', '+8613800138000'],
    // Format of a number copied from an address book.
    ['\u202d138\u00a00013\u00a08000\u202c', 'CN', '+8613800138000'],
    // A prefix that is not assigned yet.
    ['19999999999', 'CN', '+8619999999999'],
  ] as const)
    test(`${text} in ${country} is stored as ${stored}`, () => assert.equal(mobileOf(text, country), stored));

  for (const text of ['', '12', '+1', '1'.repeat(30), 'ada', '++8613800138000x'])
    test(`rejects ${JSON.stringify(text)}`, () => assert.equal(mobileOf(text, 'CN'), undefined));

  for (const text of ['ring 13800138000', '13800138000 ext 5', '13800138000#5', '13800138000,,5', '*13800138000'])
    test(`rejects ${JSON.stringify(text)}`, () => assert.equal(mobileOf(text, 'CN'), undefined));
});

describe('email address', () => {
  for (const [text, stored] of [
    ['Ada@Example.COM', 'ada@example.com'],
    ['a.d.a+news@gmail.com', 'a.d.a+news@gmail.com'],
    ['ada@googlemail.com', 'ada@googlemail.com'],
    ['ada-x@yahoo.com', 'ada-x@yahoo.com'],
    ['安娜@example.com', '安娜@example.com'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['E\u0301mile@example.com', '\u00e9mile@example.com'],
  ] as const)
    test(`${text} is ${stored}`, () => assert.equal(emailOf(text), stored));

  for (const text of [
    '',
    '@',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@example',
    ' ada@example.com',
    'ad\u200ba@example.com',
  ])
    test(`rejects ${JSON.stringify(text)}`, () => assert.equal(emailOf(text), undefined));
});

describe('user name', () => {
  for (const name of ['ada', '安娜', 'a1', '1a', 'Ada Lovelace', 'é'])
    test(`accepts ${name}`, () => assert.equal(userNameOf(name), name));
  test('is the same for different Unicode forms of its letters', () => assert.equal(userNameOf('e\u0301'), '\u00e9'));
  for (const name of [
    '',
    '123',
    '+861',
    'ada@home',
    ' ada',
    'ada ',
    'a\u0000',
    'a\u200bb',
    '\u202eada',
    '!',
    '\u3164',
    'a\u2028b',
  ])
    test(`rejects ${JSON.stringify(name)}`, () => assert.equal(userNameOf(name), undefined));
});

describe('login name as typed', () => {
  for (const [text, kind, stored] of [
    ['Ada@Example.com', 'email', 'ada@example.com'],
    ['138 0013 8000', 'mobile', '+8613800138000'],
    ['ada', 'name', 'ada'],
    // Not valid in any form, but the login must not reveal that.
    ['@', 'email', '@'],
    ['12', 'mobile', '12'],
    [' ada ', 'name', ' ada '],
  ] as const)
    test(`looks ${JSON.stringify(text)} up as ${kind} ${stored}`, () =>
      assert.deepEqual(loginNameOf(text, 'CN'), { kind, text: stored }));
});

test('isCountry accepts countries with a calling code', () => {
  assert.ok(isCountry('CN') && isCountry('DE'));
  assert.ok(!isCountry('XX'));
});
