import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TObject, Type } from 'typebox';
import { operations } from '#src/contract/operations.ts';
import { Problem } from '#src/domain/problem.ts';
import { compileValidator } from './validate.ts';

/** Returns every string schema with a pattern in a part of the contract. */
function stringsWithPattern(schema: unknown): { readonly pattern: string }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern } = schema as { readonly pattern?: unknown };
  const inner = Object.values(schema).flatMap(stringsWithPattern);
  return typeof pattern === 'string' ? [{ pattern }, ...inner] : inner;
}

const patterns = new Set(
  operations.flatMap(({ body, query }: { body?: TObject; query?: TObject }) =>
    stringsWithPattern([body, query]).map(({ pattern }) => pattern),
  ),
);
const candidates = ['\0', '\ud800', ' ', '!', 'A B', 'x\u0001'];

test('the contract has patterns', () => assert.ok(patterns.size >= 10, `${patterns.size}`));

for (const pattern of patterns)
  test(`the message about a value that does not match ${pattern} has words instead of the pattern`, () => {
    const validate = compileValidator(Type.Object({ field: Type.String({ pattern }) }), 'body');
    const wrong = candidates.find((value) => !new RegExp(pattern, 'u').test(value));
    assert.notEqual(wrong, undefined);
    assert.throws(
      () => validate({ field: wrong }),
      (error) => {
        assert.ok(error instanceof Problem);
        assert.match(error.message, / field must [\w ,.:;"+-]+\.$/);
        return true;
      },
    );
  });
