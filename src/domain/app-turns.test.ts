import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderByAppTurns } from './app-turns.ts';

const due = (words: string) => words.split(' ').map((name, nextAt) => ({ appId: name.slice(0, 1), name, nextAt }));
const order = (words: string, inFlightByApp: Readonly<Record<string, number>> | null) =>
  orderByAppTurns(due(words), inFlightByApp && new Map(Object.entries(inFlightByApp)))
    .map(({ name }) => name)
    .join(' ');

describe('apps take turns', () => {
  test('whoever came first has no more than one turn ahead of the others', () => {
    assert.equal(order('a1 a2 a3 a4 b1 c1 b2', { a: 0, b: 0, c: 0 }), 'a1 b1 c1 a2 b2 a3 a4');
  });

  test('whoever has something in hand waits until the others have as much', () => {
    assert.equal(order('a1 a2 b1 b2 b3', { a: 2, b: 0 }), 'b1 b2 a1 b3 a2');
  });

  test('whoever is not named has no turn, and without names there are none', () => {
    assert.equal(order('a1 b1 a2', { b: 0 }), 'b1');
    assert.equal(order('a1 a2 b1', null), 'a1 a2 b1');
  });

  test('one app alone has all of it, in the order it was due', () => {
    assert.equal(order('a1 a2 a3', { a: 7 }), 'a1 a2 a3');
  });
});
