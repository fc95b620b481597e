import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERASED_MESSAGE } from '#src/domain/erasure/user-names.ts';
import { toTaskContent } from './task-content.ts';

const MESSAGE = '{"type":"text","body":"hello","badge":"+1"}';

test('returns the first 100 values of the audience, and the number of all', () => {
  const names = Array.from({ length: 150 }, (_, n) => `tag-${n}`);
  assert.deepEqual(toTaskContent(JSON.stringify({ kind: 'tag', names }), MESSAGE), {
    message: MESSAGE,
    audience_values: names.slice(0, 100),
    audience_count: 150n,
  });
});

test('returns no message if it was erased with its last recipient', () => {
  const erased = { message: null, audience_values: [], audience_count: 0n };
  assert.deepEqual(toTaskContent('{"kind":"user_id","userIds":[]}', ERASED_MESSAGE), erased);
  assert.deepEqual(toTaskContent('{"kind":"all"}', ERASED_MESSAGE), { ...erased, message: ERASED_MESSAGE });
});

test('returns the message of a task whose stored audience is not valid', () => {
  assert.equal(toTaskContent('{"kind":"planet"}', MESSAGE)?.message, MESSAGE);
});
