import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { referenceOf, verifyReference } from './reference.ts';
import { parseReference } from './slice.ts';

const slice = { taskId: 113_000_000_000_001n, bucket: 63, sliceNumber: 2_147_483_647 };
const KEY = 'canary-key';

describe('reference with a key', () => {
  const reference = referenceOf(slice, KEY);

  test('identifies its slice, with and without verification', () => {
    assert.deepEqual(verifyReference(reference, KEY), slice);
    assert.deepEqual(parseReference(reference), slice);
  });

  test('fits the strictest vendor limit of 64 characters', () => {
    assert.ok(referenceOf({ ...slice, taskId: 2n ** 53n - 1n }, KEY).length <= 64);
  });

  test('is verified only by its own key, and not after any change', () => {
    assert.equal(verifyReference(reference, 'another'), undefined);
    for (let at = 0; at < reference.length; at++) {
      const other = reference[at] === '1' ? '2' : '1';
      const changed = reference.slice(0, at) + other + reference.slice(at + 1);
      assert.equal(verifyReference(changed, KEY), undefined, changed);
    }
  });

  test('is not verified without its signature', () => {
    assert.equal(verifyReference(referenceOf(slice, undefined), KEY), undefined);
    for (const text of ['', '1.2', '1.2.3.', 'x', `${reference}.${reference}`])
      assert.equal(verifyReference(text, KEY), undefined);
  });
});
