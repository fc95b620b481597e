import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startStubServer, successResponse } from '../sdk/support/stub-server.ts';
import { environmentFor, run } from './support/run-command.ts';

async function cancel(data: string, ...args: string[]): Promise<string> {
  await using peer = await startStubServer(successResponse(data));
  const { code, stdout, stderr } = await run(['task', 'cancel', '7', ...args], environmentFor(peer));
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

describe('task cancel', () => {
  test('prints how many notifications were already sent', async () => {
    assert.equal(
      await cancel('{"task_id":7,"finished":false,"sent":1200}'),
      'task 7: cancelled; 1200 were already sent\n',
    );
    assert.equal(await cancel('{"task_id":7,"finished":false,"sent":1}'), 'task 7: cancelled; 1 was already sent\n');
    assert.equal(
      await cancel('{"task_id":7,"finished":true,"sent":3}'),
      'task 7: already finished, so nothing was cancelled; 3 sent\n',
    );
  });

  test('prints for each channel whether the notification is recalled', async () => {
    const recall = '[{"channel":"fcm","sent":200,"supported":false},{"channel":"huawei","sent":1000,"supported":true}]';
    assert.equal(
      await cancel(`{"task_id":7,"finished":false,"sent":1200,"recall":${recall}}`, '--recall'),
      `task 7: cancelled; 1200 were already sent
channel  sent  recall
fcm       200  not supported
huawei   1000  requested
The recall runs for up to 24 hours. To see its results: carillon task report 7
`,
    );
  });

  test('prints the response with --json', async () => {
    assert.deepEqual(JSON.parse(await cancel('{"task_id":7,"finished":false,"sent":3}', '--json')), {
      task_id: 7,
      finished: false,
      sent: 3,
    });
  });
});
