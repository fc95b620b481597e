import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStubServer, successResponse } from '../sdk/support/stub-server.ts';
import { environmentFor, runOnTerminal } from './support/run-command.ts';

test('prompts for a password without showing it', async () => {
  await using peer = await startStubServer(successResponse('{"user_id":42}'));
  const typed = [{ after: 'password: ', type: 'not for your eyes\r' }];
  const { code, output } = await runOnTerminal(
    ['user', 'create', '--name', 'ada', '--password'],
    environmentFor(peer),
    {
      typed,
    },
  );
  assert.equal(output.replaceAll('\r', ''), 'password: \nuser_id: 42\n');
  assert.equal(code, 0);
  assert.deepEqual(
    peer.requests.map(({ body }) => body),
    ['{"name":"ada","password":"not for your eyes"}'],
  );
});
