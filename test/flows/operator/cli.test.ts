import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { framesOf, run, runOnTerminal } from '../../../cli/support/run-command.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { insertFleet } from '../../support/fleet.ts';

const PHONES = 400;

describe('commands of an operator at a terminal', () => {
  let service: Carillon;
  let ada: TestUser;
  let login: Login;
  let device: TestDevice;
  let env: Record<string, string>;
  const carillon = (...args: string[]) => run(args, env);

  before(async () => {
    service = await startCarillon();
    ada = await service.createUser('ada');
    login = await service.logIn(ada, 'her-phone');
    device = await connectDevice(service.gateways[0] as never, login);
    const fleet = await insertFleet(service.storage, service.appId, PHONES);
    // A throttled phone is retried after a minute, which is longer than these tests wait.
    await fleet.endThrottle();
    env = {
      CARILLON_URL: service.apis[0]?.apiUrl as string,
      CARILLON_APP_ID: service.appId,
      CARILLON_ADMIN_TOKEN: service.adminToken,
      NO_COLOR: '1',
    };
  });
  after(async () => {
    await device[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  test('push send --dry-run prints the reach of a notification to all devices', async () => {
    const { code, stdout, stderr } = await carillon('push', 'send', '--all', '--title', 'Hello', '--dry-run');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^The notification would be sent to ${PHONES + 1} devices\\.\n`));
    assert.match(stdout, new RegExp(`^ {2}apns +${PHONES}\n {2}nativepush +1$`, 'm'));
    assert.match(stdout, /Nothing was sent\.\n$/);
    assert.deepEqual(device.received, []);
  });

  test('push send asks for confirmation before it sends to all devices, and updates progress bars until the task has ended', async () => {
    const { code, output } = await runOnTerminal(['push', 'send', '--all', '--title', 'Hello', '--watch'], env, {
      typed: [{ after: '? [y/N]', type: 'y\r' }],
    });
    assert.equal(code, 0, output);
    assert.match(output, new RegExp(`Send to all devices of app bells \\(currently ${PHONES + 1}\\)\\?`));
    const frames = framesOf(output);
    assert.ok(
      frames.flat().every((line) => line.length < 80),
      frames.flat().join('\n'),
    );
    assert.ok(new Set(frames.map((frame) => frame.slice(1).join('\n'))).size >= 2, 'the bars have moved');
    const [head, , apns, nativepush] = frames.at(-1) ?? [];
    assert.match(head ?? '', /^Task \d+: finished; \d+ sent, 1 received$/);
    // One phone in fifty has a dead token.
    assert.match(apns ?? '', new RegExp(`^apns +▒+░+ +${PHONES} +${(PHONES * 49) / 50} +0$`));
    assert.match(nativepush ?? '', /^nativepush +█+ +1 +1 +1$/);
    assert.equal(device.received.length, 1);
  });

  test('push send lets flags override a request, and task trace explains the result', async () => {
    const request = '{"audience":{"user_id":[1]},"message":{"title":"old","ios":{"subtitle":"S"}}}';
    const sent = await carillon(
      'push',
      'send',
      '--request',
      request,
      '--user-id',
      `${ada.userId}`,
      '--title',
      'new',
      '--json',
    );
    const { task_id: taskId } = JSON.parse(sent.stdout) as { task_id: number };
    const watched = await carillon('task', 'watch', `${taskId}`, '--timeout', '30');
    assert.equal(watched.code, 0, watched.stderr);
    assert.match(watched.stdout, /^nativepush: target 1, sent 1, received 1$/m);
    assert.equal(device.received.at(-1)?.title, 'new');

    const trace = await carillon('task', 'trace', `${taskId}`, '--user-id', `${ada.userId}`);
    assert.match(trace.stdout, /^her-phone \(p\w+\): acknowledged\n {2}\S/);
    const list = await carillon('task', 'list', '--limit', '1');
    assert.match(list.stdout, new RegExp(`^ *${taskId}  finished .* user_id +admin +1 +1 +1 +new$`, 'm'));
    const detail = await carillon('task', 'detail', `${taskId}`);
    assert.match(detail.stdout, new RegExp(`^task ${taskId}\n {2}channel .*\n {2}nativepush +1 +1 +1\n$`));
  });

  test('push send reports a request ID that was used before, and sends nothing', async () => {
    const send = () => carillon('push', 'send', '--alias', 'nobody', '--title', 'x', '--request-id', 'once');
    const [first, second] = [await send(), await send()];
    assert.equal(first.stdout, second.stdout);
    assert.deepEqual([first.code, second.code], [5, 0]);
    assert.match(first.stderr, /^The audience contains no devices\. /);
    assert.match(second.stderr, /^This request_id was used before:/);
  });

  test('task cancel cancels a scheduled task', async () => {
    const sent = await carillon(
      'push',
      'send',
      '--user-id',
      `${ada.userId}`,
      '--title',
      'x',
      '--begin',
      '+2h',
      '--json',
    );
    const { task_id: taskId } = JSON.parse(sent.stdout) as { task_id: number };
    const held = await carillon('task', 'watch', `${taskId}`, '--timeout', '1');
    assert.equal(held.code, 4);
    assert.match(held.stdout, new RegExp(`^task ${taskId}: held until \\d{4}-\\S+Z\\n$`));
    const result = [0, `task ${taskId}: cancelled; 0 were already sent\n`];
    for (const name of ['cancel', 'watch']) {
      const { code, stdout } = await carillon('task', name, `${taskId}`);
      assert.deepEqual([code, stdout], result);
    }
  });

  test('a notification to a device that is not connected waits in its inbox, and can be cancelled there', async () => {
    const bo = await service.createUser('bo');
    await service.logIn(bo, 'his-phone');
    const args = ['push', 'send', '--user-id', `${bo.userId}`, '--title', 'x', '--end', '+1h', '--watch', '--json'];
    const { code, stdout, stderr } = await carillon(...args, '--timeout', '4');
    assert.equal(code, 4, stderr);
    assert.match(
      stderr,
      /^The notification waits in the inbox of 1 device until \d{4}-\S+Z\. .*\nTo see why: carillon/m,
    );
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string) as Record<string, number>;
    const hours = ((last.waiting_until as number) - Date.now()) / 3_600_000;
    assert.equal(last.waiting, 1);
    assert.ok(hours > 0.9 && hours <= 1, `${hours} hours`);

    const cancelled = await carillon('task', 'cancel', `${last.task_id}`);
    assert.equal(cancelled.stdout, `task ${last.task_id}: cancelled; 0 were already sent\n`);
    const watched = await carillon('task', 'watch', `${last.task_id}`, '--json');
    assert.deepEqual([watched.code, JSON.parse(watched.stdout).waiting], [0, 0]);
  });

  test('prints the error code and text that the service returned', async () => {
    const { code, stderr } = await carillon('push', 'send', '--user-id', '1', '--image', 'https://x/y.gif');
    assert.equal(code, 1);
    assert.match(stderr, /^10002 .*\.(jpg|jpeg|png)/);
  });
});
