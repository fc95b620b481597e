import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../sdk/src/index.ts';
import { startStubServer, successResponse } from '../sdk/support/stub-server.ts';
import { environmentFor, run } from './support/run-command.ts';

test('user export reads all pages and prints one JSON document', async () => {
  const page = (record: string, next: string) =>
    successResponse(`{"list":[{"kind":"task","record":${JSON.stringify(record)}}],"next":${next}}`);
  await using peer = await startStubServer(({ body }) =>
    body.includes('after') ? page('{"task_id":9223372036854775807}', 'null') : page('{"task_id":7}', '"tasks.7"'),
  );
  const { code, stdout, stderr } = await run(['user', 'export', '--user-id', '42'], environmentFor(peer));
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(parseJson(stdout), [
    { kind: 'task', record: { task_id: 7 } },
    { kind: 'task', record: { task_id: 9223372036854775807n } },
  ]);
  assert.deepEqual(
    peer.requests.map(({ body }) => body),
    ['{"user_id":42}', '{"user_id":42,"after":"tasks.7"}'],
  );
});
