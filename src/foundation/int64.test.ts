import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { INT64_MAX, INT64_MIN, Int64, Int64Text, int64Keywords, textToInt64, toInt64 } from './int64.ts';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const beyond = fc.oneof(fc.bigInt({ min: INT64_MAX + 1n }), fc.bigInt({ max: INT64_MIN - 1n }));

describe('toInt64, for values in a JSON body', () => {
  test('accepts every int64, as a bigint or a safe integer', () => {
    fc.assert(fc.property(int64, (value) => assert.equal(toInt64(value), value)));
    fc.assert(fc.property(fc.maxSafeInteger(), (value) => assert.equal(toInt64(value), BigInt(value))));
  });

  test('rejects values beyond int64', () => {
    fc.assert(fc.property(beyond, (value) => assert.equal(toInt64(value), undefined)));
  });

  test('rejects rounded numbers, fractions, strings and other types', () => {
    for (const value of [
      2 ** 53,
      -(2 ** 53),
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '1',
      '',
      null,
      undefined,
      true,
      {},
      [1],
    ])
      assert.equal(toInt64(value), undefined, String(value));
  });
});

describe('textToInt64, for strings in a header or query', () => {
  test('accepts the digits of every int64', () => {
    fc.assert(fc.property(int64, (value) => assert.equal(textToInt64(value.toString()), value)));
  });

  test('rejects digits beyond int64', () => {
    fc.assert(fc.property(beyond, (value) => assert.equal(textToInt64(value.toString()), undefined)));
  });

  test('rejects anything but decimal digits with an optional minus sign', () => {
    for (const text of [
      '',
      ' ',
      '-',
      '+1',
      '1 ',
      ' 1',
      '1.0',
      '1e3',
      '0x10',
      '1n',
      '--1',
      '١',
      1,
      1n,
      null,
      undefined,
      ['1'],
    ])
      assert.equal(textToInt64(text), undefined, String(text));
  });
});

describe('int64 in a schema', () => {
  const compile = (schema: TSchema) => new Ajv({ keywords: int64Keywords, strictTypes: false }).compile(schema);

  test('int64 values in a body are replaced with bigints, also in lists and nested objects', () => {
    const validate = compile(
      Type.Object({ id: Int64(), list: Type.Array(Int64()), inner: Type.Object({ id: Type.Optional(Int64()) }) }),
    );
    const body = { id: 7, list: [1, INT64_MAX], inner: { id: INT64_MIN } };
    assert.ok(validate(body));
    assert.deepEqual(body, { id: 7n, list: [1n, INT64_MAX], inner: { id: INT64_MIN } });
    assert.ok(!validate({ id: INT64_MAX + 1n, list: [], inner: {} }));
    assert.ok(!validate({ id: '7', list: [], inner: {} }));
    assert.ok(!validate({ id: 7, list: [1.5], inner: {} }));
    assert.equal(validate.errors?.[0]?.keyword, 'int64');
  });

  test('a minimum applies to every int64, including large negative values', () => {
    const validate = compile(Type.Object({ id: Int64({ minimum: 1 }) }));
    for (const id of [1, 2 ** 53 - 1, INT64_MAX]) assert.ok(validate({ id }), String(id));
    for (const id of [0, -1, INT64_MIN, -(2n ** 60n)]) assert.ok(!validate({ id }), String(id));
  });

  test('int64 values in a query are accepted only as strings', () => {
    const validate = compile(Type.Object({ user_id: Int64Text() }));
    const query: { user_id: unknown } = { user_id: '9223372036854775807' };
    assert.ok(validate(query));
    assert.equal(query.user_id, INT64_MAX);
    assert.ok(!validate({ user_id: '9223372036854775808' }));
    assert.ok(!validate({ user_id: 7 }));
    assert.equal(validate.errors?.[0]?.keyword, 'int64Text');
  });
});
