import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from './int64.ts';
import { parseJson, stringifyJson } from './json.ts';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });

/** Returns a number where JSON.parse is exact, and a bigint where it would round. */
const asParsed = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

/**
 * Nests a value in objects and lists. A string in the path becomes an object key. A number becomes the first item of a
 * list whose second item is the nested value.
 */
const nest = (path: readonly (string | number)[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [step, inner] : { [step]: inner }), value);

describe('integers keep all digits', () => {
  test('at the limits of int64 and 2^53', () => {
    const edges = [INT64_MIN, INT64_MAX, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 10n ** 15n, 0n];
    for (const edge of edges) {
      assert.equal(parseJson(edge.toString()), asParsed(edge));
      assert.equal(stringifyJson(edge), edge.toString());
    }
  });

  test('every int64 survives parsing and printing', () => {
    fc.assert(
      fc.property(int64, (value) => {
        const read = parseJson(value.toString());
        assert.equal(read, asParsed(value));
        assert.equal(stringifyJson(read), value.toString());
      }),
    );
  });

  test('every int64 survives inside nested objects and lists', () => {
    const step = fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), int64, (way, value) => {
        const read = parseJson(stringifyJson(nest(way, value)));
        assert.deepEqual(read, nest(way, asParsed(value)));
      }),
    );
  });

  test('one long integer does not affect its neighbours', () => {
    const text =
      '{"id":9223372036854775807,"n":1,"big":123456789012345678901234567890,"f":0.5,"e":1e20,"t":"1","b":true}';
    assert.deepEqual(parseJson(text), {
      id: 9223372036854775807n,
      n: 1,
      big: 123456789012345678901234567890n,
      f: 0.5,
      e: 1e20,
      t: '1',
      b: true,
    });
  });
});

describe('all other values are the same as with JSON.parse', () => {
  test('long digit sequences inside strings stay strings', () => {
    const digits = fc.stringMatching(/^-?\d{16,40}$/);
    fc.assert(
      fc.property(digits, digits, (key, value) => {
        const text = JSON.stringify({ [`k${key}`]: value, list: [value, `x ${value}, ${value}`] });
        assert.deepEqual(parseJson(text), JSON.parse(text));
        assert.equal(stringifyJson(parseJson(text)), text);
      }),
    );
  });

  test('floats are unchanged, regardless of their number of digits', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        // A float that prints as a long integer is an integer in JSON and is parsed as one.
        fc.pre(/[.e]/.test(JSON.stringify(value)));
        assert.equal(parseJson(JSON.stringify(value)), value);
        assert.deepEqual(parseJson(`[${JSON.stringify(value)},9007199254740993]`), [value, 9007199254740993n]);
      }),
    );
    assert.equal(parseJson('9007199254740993.0'), 9007199254740992);
    assert.equal(parseJson('3.14159265358979323846'), Math.PI);
  });

  test('any JSON value gives the same result as JSON.parse and JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\d{16}|__proto__|constructor/.test(text));
        assert.deepEqual(parseJson(text), JSON.parse(text));
        assert.equal(stringifyJson(parseJson(text)), JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

describe('keys that would change the prototype of an object are rejected', () => {
  const dangerous = [
    '{"__proto__":{"admin":true}}',
    '{"a":{"__proto__":1}}',
    '[{"\\u005f_proto__":1}]',
    '{"constructor":{"prototype":{"admin":true}}}',
  ];
  for (const text of dangerous) {
    test(text, () => {
      assert.throws(() => parseJson(text), SyntaxError);
      // The slower path for long integers rejects these keys too.
      assert.throws(() => parseJson(`[9223372036854775807,${text}]`), SyntaxError);
    });
  }

  test('the names of these keys are allowed as string values', () => {
    assert.equal(parseJson('"__proto__"'), '__proto__');
    assert.deepEqual(parseJson('{"a":"__proto__ 9223372036854775807"}'), { a: '__proto__ 9223372036854775807' });
  });
});

test('invalid JSON is rejected on both paths', () => {
  for (const text of ['', '{', '{"a":1,}', "{'a':1}", 'undefined', '[9223372036854775807', '09223372036854775807'])
    assert.throws(() => parseJson(text), SyntaxError, text);
});
