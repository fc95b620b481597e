import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTaskContent } from './task-content.ts';

const MESSAGE = '{"type":"text","body":"hello","badge":"+1"}';

test('parses an audience and a message', () => {
  assert.deepEqual(parseTaskContent('{"kind":"user_id","userIds":[1,9007199254740993]}', MESSAGE), {
    audience: { kind: 'user_id', userIds: [1n, 9007199254740993n] },
    message: { type: 'text', body: 'hello', badge: '+1' },
  });
});

for (const audience of ['{', '[]', 'null', '{"kind":"planet"}', '{"kind":"tag"}', '{"kind":"user_id","userIds":["x"]}'])
  test(`reports the audience ${audience} as a defect`, () => {
    assert.equal(parseTaskContent(audience, MESSAGE).defect, 'The stored audience is not valid.');
  });

for (const message of ['{"type":', '""', '[]', '{}', '{"type":"text"}', '{"type":"text","badge":"1","title":5}'])
  test(`reports the message ${message} as a defect`, () => {
    assert.equal(parseTaskContent('{"kind":"all"}', message).defect, 'The stored message is not valid.');
  });
