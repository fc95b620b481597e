import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { OpenApiSchemas } from './openapi-schemas.ts';

test('a range of up to ten integers becomes an enum, and a larger range stays a limit', () => {
  const enumOf = (minimum: number, maximum: number) =>
    (new OpenApiSchemas().convert(Type.Integer({ minimum, maximum }), 'Field') as { enum?: readonly number[] }).enum;
  assert.deepEqual(enumOf(0, 1), [0, 1]);
  assert.deepEqual(enumOf(1, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(enumOf(1, 11), undefined);
  assert.equal(
    (new OpenApiSchemas().convert(Type.Integer({ minimum: 1 }), 'Field') as { enum?: readonly number[] }).enum,
    undefined,
  );
});
