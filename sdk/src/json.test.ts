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

  test('rejects an integer above 2^53 instead of rounding it', () => {
    withoutSource(() => {
      assert.throws(() => parseJson('[9007199254740993]'), RangeError);
      assert.throws(() => stringifyJson([9007199254740993n]), RangeError);
      assert.deepEqual(parseJson('["1234567890123456",9007199254740991]'), ['1234567890123456', 9007199254740991]);
      assert.equal(stringifyJson([9007199254740991n]), '[9007199254740991]');
    });
  });
});
