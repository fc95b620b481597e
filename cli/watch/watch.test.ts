import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import {
  errorResponse,
  type RecordedRequest,
  type StubAction,
  startStubServer,
  successResponse,
} from '../../sdk/support/stub-server.ts';
import { cliPath, environmentFor, framesOf, run, runOnTerminal } from '../support/run-command.ts';

type Step = readonly [
  state: string,
  counts: Readonly<Record<string, readonly [number, number, number]>>,
  waiting?: number,
];

const TASK = '115258093993985';

/** Returns a stub service that advances one step with each poll and stays at the last step. */
function walkThrough(steps: readonly (Step | StubAction)[]): (request: RecordedRequest) => StubAction {
  let at = -1;
  return ({ path }) => {
    if (path === '/push/task/list') at = Math.min(at + 1, steps.length - 1);
    const step = steps[at] as Step | StubAction;
    if (!Array.isArray(step)) return step as StubAction;
    const [state, counts, waiting = 0] = step as Step;
    if (path === '/push/task/list')
      return successResponse(
        `{"list":[{"task_id":${TASK},"state":"${state}","author":"admin","audience":"all","accepted_at":1794700800000,"due_at":1794700800000,"end_at":1794787200000}],"next":null}`,
      );
    const channels = Object.entries(counts).map(
      ([channel, [target, sent, received]]) =>
        `{"channel":"${channel}","target":${target},"sent":${sent},"received":${received},"clicked":0,"failures":[]}`,
    );
    return successResponse(
      `{"task_id":${TASK},"channels":[${channels.join(',')}],"waiting":${waiting},"waiting_until":${waiting ? 1794787200000 : null},"failures_complete":true}`,
    );
  };
}

const steps: Step[] = [
  ['sending', { apns: [0, 0, 0], nativepush: [0, 0, 0] }],
  ['sending', { apns: [0, 0, 0], nativepush: [40, 10, 2] }],
  ['sending', { apns: [20, 1, 0], nativepush: [40, 40, 20] }],
  ['finished', { apns: [20, 20, 0], nativepush: [40, 40, 20] }],
];

describe('task watch', () => {
  test('prints changes as lines without a terminal, and ends with the task', async () => {
    await using peer = await startStubServer(walkThrough(steps));
    const { code, stdout, stderr } = await run(['task', 'watch', TASK], environmentFor(peer));
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      `task ${TASK}: sending
nativepush: target 40, sent 10, received 2
apns: target 20, sent 1, received 0
nativepush: target 40, sent 40, received 20
apns: target 20, sent 20, received 0
task ${TASK}: finished; 60 sent, 20 received
`,
    );
    assert.deepEqual(
      peer.requests.slice(0, 2).map(({ path, body }) => [path, body]),
      [
        ['/push/task/list', `{"after":${BigInt(TASK) + 1n},"limit":1}`],
        ['/push/task/report', `{"task_id":${TASK}}`],
      ],
    );
  });

  test('prints lines of JSON for programs', async () => {
    await using peer = await startStubServer(walkThrough(steps.slice(2)));
    const { stdout } = await run(['task', 'watch', TASK, '--json'], environmentFor(peer));
    assert.equal(
      stdout,
      `{"task_id":${TASK},"state":"sending","channels":{"apns":{"target":20,"sent":1,"received":0},"nativepush":{"target":40,"sent":40,"received":20}},"waiting":0,"waiting_until":null}
{"task_id":${TASK},"state":"finished","channels":{"apns":{"target":20,"sent":20,"received":0},"nativepush":{"target":40,"sent":40,"received":20}},"waiting":0,"waiting_until":null}
`,
    );
  });

  test('draws bars within 80 columns and restores the cursor', async () => {
    await using peer = await startStubServer(walkThrough(steps));
    const { code, output } = await runOnTerminal(['task', 'watch', TASK], environmentFor(peer));
    const frames = framesOf(output);
    assert.equal(code, 0);
    assert.ok(frames.length >= 4, `${frames.length} frames`);
    assert.ok(
      frames.flat().every((line) => line.length < 80),
      frames.flat().join('\n'),
    );
    const bars = frames.map(
      (frame) => /█*▒*░*/.exec(frame.find((line) => line.startsWith('nativepush'))?.slice(12) ?? '')?.[0],
    );
    assert.ok(new Set(bars).size >= 3, bars.join('\n'));
    assert.match(frames.at(-1)?.[0] ?? '', new RegExp(`^Task ${TASK}: finished; 60 sent, 20 received$`));
    // Each frame moves the cursor up over the previous one.
    assert.ok(output.includes('\u001b[?25l\r\u001b[4ATask'));
    assert.ok(output.endsWith('\u001b[?25h'), JSON.stringify(output.slice(-40)));
    assert.ok(output.includes('\u001b[32m█'));
  });

  test('uses no colours with NO_COLOR', async () => {
    await using peer = await startStubServer(walkThrough(steps.slice(3)));
    const { output } = await runOnTerminal(['task', 'watch', TASK], { ...environmentFor(peer), NO_COLOR: '1' });
    assert.match(output, /█/);
    assert.ok(!/\[\d+m/.test(output), output);
  });

  test('exits with 130 on Ctrl-C and restores the cursor', async () => {
    await using peer = await startStubServer(walkThrough(steps.slice(1, 2)));
    const { code, output } = await runOnTerminal(['task', 'watch', TASK], environmentFor(peer), {
      typed: [{ after: 'nativepush', type: '\u0003' }],
    });
    assert.equal(code, 130);
    assert.ok(output.trimEnd().endsWith('\u001b[?25h'), JSON.stringify(output.slice(-40)));
  });

  test('does not wait for a silent service on SIGINT', async () => {
    const asked = Promise.withResolvers<void>();
    await using peer = await startStubServer(() => {
      asked.resolve();
      return 'silent';
    });
    const child = spawn(process.execPath, [cliPath, 'task', 'watch', TASK], { env: environmentFor(peer) });
    await asked.promise;
    const begun = performance.now();
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [130, null]);
    // A request times out only after 15 seconds.
    assert.ok(performance.now() - begun < 10_000);
  });

  test('exits with 143 on SIGTERM', async () => {
    await using peer = await startStubServer(walkThrough([steps[1] as Step]));
    const child = spawn(process.execPath, [cliPath, 'task', 'watch', TASK], { env: environmentFor(peer) });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [143, null]);
  });

  test('exits with 4 after --timeout and prints how to continue', async () => {
    await using peer = await startStubServer(walkThrough([steps[1] as Step]));
    const { code, stderr } = await run(['task', 'watch', TASK, '--timeout', '2'], environmentFor(peer));
    assert.deepEqual(
      [code, stderr],
      [4, `The task has not ended after 2 s.\nTo continue watching: carillon task watch ${TASK}\n`],
    );
  });

  test('continues after a short outage of the service', async () => {
    const busy = errorResponse(503, 50003, 'Try again in a moment.', { 'retry-after': '1' });
    await using peer = await startStubServer(walkThrough([steps[1] as Step, 'hang-up', busy, steps[3] as Step]));
    const { code, stdout, stderr } = await run(['task', 'watch', TASK], environmentFor(peer));
    assert.equal(code, 0);
    assert.match(stdout, /finished; 60 sent, 20 received\n$/);
    assert.match(stderr, /cannot be reached: .* Trying again\.\nTry again in a moment\. Trying again\.\n/);
  });

  test('treats a task that has counters but is no longer listed as finished', async () => {
    const last = walkThrough(steps.slice(3));
    await using peer = await startStubServer((request) => {
      const answer = last(request);
      return request.path === '/push/task/list' ? successResponse('{"list":[],"next":null}') : answer;
    });
    const { code, stdout } = await run(['task', 'watch', TASK], environmentFor(peer));
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`task ${TASK}: finished; 60 sent, 20 received\\n$`));
  });

  test('fails immediately if the task cannot be watched', async () => {
    await using nothing = await startStubServer(({ path }) =>
      path === '/push/task/list'
        ? successResponse('{"list":[],"next":null}')
        : errorResponse(404, 12011, 'Task not found.'),
    );
    const missing = await run(['task', 'watch', '7'], environmentFor(nothing));
    assert.deepEqual(
      [missing.code, missing.stderr],
      [
        1,
        'error: Task 7 does not exist, or this token has no access to it. `carillon task list` lists the accessible tasks.\n',
      ],
    );
    const wrong = await run(['task', 'watch', 'seven'], environmentFor(nothing));
    assert.deepEqual(
      [wrong.code, wrong.stderr],
      [2, 'error: The task ID must be a number, not "seven". `carillon task list` lists task IDs.\n'],
    );
    await using strict = await startStubServer(
      errorResponse(401, 10008, 'The access token is invalid or revoked, or belongs to another app.'),
    );
    const refused = await run(['task', 'watch', '7'], environmentFor(strict));
    assert.deepEqual([refused.code, refused.stderr.slice(0, 6)], [1, '10008 ']);
  });

  test('states that a notification waits in an inbox, until when, and how to find the reason', async () => {
    const waiting: Step = ['sending', { nativepush: [1, 0, 0] }, 1];
    await using peer = await startStubServer(walkThrough([waiting]));
    const { code, stdout, stderr } = await run(['task', 'watch', TASK, '--timeout', '2'], environmentFor(peer));
    const sentence =
      'The notification waits in the inbox of 1 device until 2026-11-16T00:00:00Z. A device receives it when it connects.';
    const hint = `To see why: carillon task trace ${TASK} --user-id <id>`;
    assert.equal(stdout, `nativepush: target 1, sent 0, received 0\ntask ${TASK}: sending\n${sentence} ${hint}\n`);
    assert.deepEqual(
      [code, stderr],
      [
        4,
        `The task has not ended after 2 s.\n${sentence}\n${hint}\nTo continue watching: carillon task watch ${TASK}\n`,
      ],
    );
  });

  test('exits with 5 if the task had no recipient', async () => {
    await using peer = await startStubServer(walkThrough([['finished', {}]]));
    const { code, stdout, stderr } = await run(['task', 'watch', TASK], environmentFor(peer));
    assert.deepEqual([code, stdout], [5, `task ${TASK}: finished; 0 sent, 0 received\n`]);
    assert.match(stderr, /^No device could be reached\./);
  });
});

test('push send --watch watches the task that it created', async () => {
  const sendResponses: Readonly<Record<string, StubAction>> = {
    '/push/notify': successResponse(`{"task_id":${TASK}}`),
    '/push/validate': successResponse('{"devices":60,"first":{"apns":20},"waiting":0,"unreachable":0}'),
  };
  const follow = walkThrough(steps.slice(2));
  await using peer = await startStubServer((request) => sendResponses[request.path] ?? follow(request));
  const { code, stdout } = await run(
    ['push', 'send', '--user-id', '1', '--title', 'x', '--watch', '--token', '@-'],
    environmentFor(peer),
    'ca_2',
  );
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^task_id: ${TASK}\\n[\\s\\S]*task ${TASK}: finished; 60 sent, 20 received\\n$`));
  assert.ok(peer.requests.every(({ headers }) => headers['access-token'] === 'ca_2'));
});
