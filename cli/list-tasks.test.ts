import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startStubServer, successResponse } from '../sdk/support/stub-server.ts';
import { printTasks } from './list-tasks.ts';
import { environmentFor, run } from './support/run-command.ts';

const task = {
  task_id: 115258093993985n,
  state: 'finished',
  author: 'admin',
  token_kind: 'admin',
  token_id: 1n,
  token_name: 'shop backend',
  token_parent: null,
  audience: 'user_id',
  content: null,
  title: 'Rehearsal at eight',
  target: 1200n,
  sent: 1100n,
  received: 900n,
  accepted_at: 1794700800000n,
  due_at: 1794700800000n,
  end_at: 1794787200000n,
  cancelled_at: null,
} as const;
const tasks = [task, { ...task, task_id: 7n, title: null, target: null, sent: null, received: null }];

describe('task list', () => {
  test('prints the state, audience, author, counters and title of each task', () => {
    assert.equal(
      `\n${printTasks(tasks, 120)}\n`,
      `
        task_id  state     due_at                audience  author  target  sent  received  title
115258093993985  finished  2026-11-15T00:00:00Z  user_id   admin   1200    1100  900       Rehearsal at eight
              7  finished  2026-11-15T00:00:00Z  user_id   admin   -       -     -         -
`,
    );
  });

  test('shortens titles to the width of the terminal, and omits the time if there is no room', () => {
    const chinese = { ...task, title: '排练今晚八点开始' };
    for (const columns of [80, 90, 100])
      assert.ok(
        printTasks([task, chinese], columns)
          .split('\n')
          .every((line) => line.length <= columns),
      );
    const [head, first, second] = printTasks([task, chinese], 80).split('\n');
    assert.match(head ?? '', /^ +task_id +state +audience +author +target +sent +received +title$/);
    assert.match(first ?? '', / 1200 +1100 +900 {2}Rehearsal…$/);
    assert.match(second ?? '', / 900 {2}排练今晚八…$/);
    assert.match(printTasks([task], 40), /^task_id: +115258093993985\nstate: +finished\n/);
    assert.equal(printTasks([], 80), 'None.');
  });

  test('asks for counters, unless the option says otherwise', async () => {
    await using peer = await startStubServer(successResponse('{"list":[],"next":null}'));
    await run(['task', 'list', '--limit', '2'], environmentFor(peer));
    await run(['task', 'list', '--counts', 'false'], environmentFor(peer));
    assert.deepEqual(
      peer.requests.map(({ body }) => body),
      ['{"counts":true,"limit":2}', '{"counts":false}'],
    );
  });
});
