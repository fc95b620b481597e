import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazyMap } from './lazy-map.ts';

test('a lazy map creates each value once, when it is first requested', () => {
  const created: string[] = [];
  const map = new LazyMap((key: string) => {
    created.push(key);
    return key.toUpperCase();
  });
  assert.deepEqual([...map.values()], []);
  assert.equal(map.get('a'), 'A');
  assert.equal(map.get('a'), 'A');
  assert.equal(map.get('b'), 'B');
  assert.deepEqual(created, ['a', 'b']);
  assert.deepEqual([...map.values()], ['A', 'B']);
});
