import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCursor, parseCursor, taskCursor, VERIFY_START, type VerifyCursor } from './verify-cursor.ts';

test('a cursor is formatted without spaces and can be parsed again', () => {
  const cursors: readonly VerifyCursor[] = [
    VERIFY_START,
    { kind: 'keys', bucket: 4_095, author: 'user:7', requestId: 'é "\n' },
    taskCursor(0n),
    { kind: 'tasks', taskId: 2n ** 53n - 1n, bucket: 4_095, part: 7, parts: 8 },
  ];
  for (const cursor of cursors) {
    assert.match(formatCursor(cursor), /^[\w.-]+$/);
    assert.deepEqual(parseCursor(formatCursor(cursor)), cursor);
  }
});

test('parseCursor rejects strings that are not a cursor', () => {
  const nul = Buffer.from('["a\\u0000","b"]').toString('base64url');
  for (const text of [
    '',
    't',
    't1',
    't1.4096.0.1',
    't1.1',
    't1.1.1',
    't1.1.1.1',
    't-1.0.0.1',
    'k',
    'k!',
    'kAAAA',
    'k0.AAAA',
    `k0.${nul}`,
    'k0.WyJhIl0',
    `k4096.${Buffer.from('["a","b"]').toString('base64url')}`,
    'x1.1',
  ])
    assert.equal(parseCursor(text), undefined, text);
});
