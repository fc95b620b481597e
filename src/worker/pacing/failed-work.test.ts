import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { errorText, isOwnFailure } from './failed-work.ts';

test('an unavailable database is not a failure of the work', () => {
  assert.equal(isOwnFailure(new Unavailable('down')), false);
  assert.equal(isOwnFailure(new TypeError('x is undefined')), true);
});

test('a stored error is short and contains no long random text', () => {
  const secret = 'k'.repeat(40);
  assert.equal(errorText(new TypeError(`rejected ${secret}`)), 'TypeError: rejected […]');
  assert.equal(errorText(new Error('too long '.repeat(200))).length, 500);
  assert.equal(errorText('plain'), 'plain');
});
