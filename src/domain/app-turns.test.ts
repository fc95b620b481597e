import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderByAppTurns } from './app-turns.ts';

const due = (words: string) => words.split(' ').map((name, nextAt) => ({ appId: name.slice(0, 1), name, nextAt }));
const order = (words: string, inFlightByApp: Readonly<Record<string, number>> | null) =>
  orderByAppTurns(due(words), inFlightByApp && new Map(Object.entries(inFlightByApp)))
    .map(({ name }) => name)
    .join(' ');

describe('order of due work', () => {
  test('alternates between apps, regardless of which app was due first', () => {
    assert.equal(order('a1 a2 a3 a4 b1 c1 b2', { a: 0, b: 0, c: 0 }), 'a1 b1 c1 a2 b2 a3 a4');
  });

  test('serves an app with work in flight only after the other apps have as much work in flight', () => {
    assert.equal(order('a1 a2 b1 b2 b3', { a: 2, b: 0 }), 'b1 b2 a1 b3 a2');
  });

  test('skips apps that are not listed, and orders by due time if there is no list', () => {
    assert.equal(order('a1 b1 a2', { b: 0 }), 'b1');
    assert.equal(order('a1 a2 b1', null), 'a1 a2 b1');
  });

  test('gives a single app all turns, in the order of due times', () => {
    assert.equal(order('a1 a2 a3', { a: 7 }), 'a1 a2 a3');
  });
});
