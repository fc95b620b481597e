import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isBlank } from './blank.ts';

const space = fc.constantFrom(' ', '\t', '\n', '\r', '\u00a0', '\u3000', '\ufeff');

describe('blank values', () => {
  const blanks: readonly unknown[] = [undefined, null, '', ' ', ' \t\r\n ', '\u3000', [], {}];
  for (const value of blanks) test(JSON.stringify(value) ?? 'absent', () => assert.ok(isBlank(value)));

  test('any string of whitespace', () => {
    fc.assert(fc.property(fc.string({ unit: space }), (text) => assert.ok(isBlank(text))));
  });
});

describe('values that are not blank', () => {
  const values: readonly unknown[] = [
    0,
    -0,
    Number.NaN,
    0n,
    false,
    true,
    '0',
    'null',
    '.',
    [null],
    [''],
    [[]],
    { a: null },
    { '': '' },
  ];
  for (const value of values) {
    const name = typeof value === 'object' ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
    test(name, () => assert.ok(!isBlank(value)));
  }

  test('any number, any boolean, and any non-empty list or object', () => {
    const something = fc.oneof(
      fc.double(),
      fc.bigInt(),
      fc.boolean(),
      fc.array(fc.anything(), { minLength: 1 }),
      fc.dictionary(fc.string(), fc.anything(), { minKeys: 1 }),
    );
    fc.assert(fc.property(something, (value) => assert.ok(!isBlank(value))));
  });

  test('a string with one visible character among whitespace', () => {
    const padding = fc.string({ unit: space });
    const letter = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((text) => /\S/.test(text));
    fc.assert(fc.property(padding, letter, padding, (a, text, b) => assert.ok(!isBlank(a + text + b))));
  });
});

test('isBlank does not change the value', () => {
  const value = { text: ' a ', list: [' '] };
  isBlank(value);
  assert.deepEqual(value, { text: ' a ', list: [' '] });
});
