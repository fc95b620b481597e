import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  test('evicts the oldest entry when it is full', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
    assert.deepEqual(Object.fromEntries(map), { b: 2, c: 3 });
  });

  test('counts an entry that is set again as the newest', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    assert.deepEqual([...map.keys()], ['a', 'c']);
    assert.equal(map.get('a'), 3);
  });

  test('evicts nothing when an entry is set again', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('b', 3);
    assert.equal(map.size, 2);
  });

  test('evicts an entry whose key is undefined', () => {
    const map = new BoundedMap<string | undefined, number>(1).set(undefined, 1).set('a', 2);
    assert.deepEqual([...map.keys()], ['a']);
  });
});
