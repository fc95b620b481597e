import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson, stringifyJson } from './json.ts';

describe('JSON precision', () => {
  test('parses integers outside the safe range as bigints, and all other numbers as numbers', () => {
    const text =
      '{"a":9223372036854775807,"b":-9223372036854775808,"c":9007199254740991,"d":1.5,"e":"9223372036854775807"}';
    assert.deepEqual(parseJson(text), {
      a: 9223372036854775807n,
      b: -9223372036854775808n,
      c: 9007199254740991,
      d: 1.5,
      e: '9223372036854775807',
    });
  });

  test('prints parsed JSON unchanged', () => {
    const text = '{"a":[9223372036854775807,-9223372036854775808,9007199254740993,1,0.25],"b":{"c":null}}';
    assert.equal(stringifyJson(parseJson(text)), text);
  });

  test('prints bigints as plain numbers, including small ones', () => {
    assert.equal(stringifyJson([42n, -1n, 2n ** 53n, 2n ** 63n - 1n]), '[42,-1,9007199254740992,9223372036854775807]');
  });

  test('parses a fraction or an exponent with many digits as a number', () => {
    assert.deepEqual(parseJson('[0.12345678901234567890,12500000000000000000e3]'), [0.12345678901234568, 1.25e22]);
  });
});

describe('a JavaScript runtime without access to the source text', () => {
  const withoutSource = <T>(run: () => T): T => {
    const { parse } = JSON;
    const { rawJSON } = JSON as unknown as { rawJSON: unknown };
    JSON.parse = (text, reviver) => parse(text, reviver && ((key, value) => reviver.call(undefined, key, value)));
    Object.assign(JSON, { rawJSON: undefined });
    try {
      return run();
    } finally {
      JSON.parse = parse;
      Object.assign(JSON, { rawJSON });
    }
  };

  test('parses and prints integers above 2^53 exactly', () => {
    withoutSource(() => {
      const text = '["1234567890123456",9007199254740991,9007199254740993,-9223372036854775808]';
      assert.deepEqual(parseJson(text), [
        '1234567890123456',
        9007199254740991,
        9007199254740993n,
        -9223372036854775808n,
      ]);
      assert.equal(stringifyJson(parseJson(text)), text);
    });
  });
});

test('rejects what JSON.parse rejects, also next to long integers', () => {
  for (const text of ['[01234567890123456]', '{1234567890123456:1}', '[1234567890123456', '[--1234567890123456]'])
    assert.throws(() => parseJson(text), SyntaxError, text);
});

test('parses and prints the same values as JSON for strings, escapes and fractions next to long integers', () => {
  const values = [
    '"',
    '\\',
    '\\"1234567890123456',
    'int1:5',
    '1234567890123456',
    1e300,
    -0.1234567890123456,
    true,
    null,
  ];
  const text = JSON.stringify({ values, '1234567890123456789': [values] });
  assert.deepEqual(parseJson(text), JSON.parse(text));
  assert.equal(stringifyJson(JSON.parse(text)), text);
});
