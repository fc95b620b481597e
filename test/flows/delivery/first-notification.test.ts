import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { vendorNames } from '#src/domain/channel.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice, connectSilentDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';

describe('one notification from the HTTP request to the device, through separate processes', () => {
  let carillon: Carillon;
  let testUsers = 0;

  before(async () => {
    carillon = await startCarillon({ apis: 1, gateways: 2, workers: 2 });
  });
  after(() => carillon[Symbol.asyncDispose]());

  /** Creates a user with a logged-in phone. */
  async function phone(): Promise<{ user: TestUser; login: Login }> {
    const user = await carillon.createUser(`person-${++testUsers}`);
    return { user, login: await carillon.logIn(user, `phone-${testUsers}`) };
  }

  const bind = (login: Login, token: string, environment = 1) =>
    carillon.post('/device/bind', { provider: 1, token, environment }, { token: login.token });

  const countersBecome = (taskId: bigint, wanted: Record<string, [number, number, number]>, secondsMax?: number) =>
    eventually(async () => assert.deepEqual(await carillon.counters(taskId), wanted), secondsMax);

  /** Waits until a task is finished. */
  const finishes = (taskId: bigint) =>
    eventually(async () => {
      const [task] = await carillon.storage.home.query<{ state: string }>(
        'select state from tasks where task_id = $1',
        [taskId],
      );
      assert.equal(task?.state, 'finished');
    }, 20);

  test('two devices on two gateways receive and acknowledge a notification, and all 27 counters match', async () => {
    const [first, second] = [await phone(), await phone()];
    const [gateway1, gateway2] = carillon.gateways as [RoleProcess, RoleProcess];
    await using device1 = await connectDevice(gateway1, first.login);
    await using device2 = await connectDevice(gateway2, second.login, { protocolVersion: 5 });

    const taskId = await carillon.notify(
      { user_id: [first.user.userId, second.user.userId] },
      { title: 'Hello', body: 'there', ext: { big: 9223372036854775807n } },
    );

    await countersBecome(taskId, { nativepush: [2, 2, 2] });
    for (const device of [device1, device2]) {
      assert.equal(device.received.length, 1);
      const [message] = device.received as [Record<string, unknown>];
      assert.equal(message.task_id, taskId.toString());
      assert.equal(message.message_id, taskId.toString());
      assert.equal(message.title, 'Hello');
      assert.equal(message.type, 'text');
      assert.equal(message.badge, '+1');
    }
    await finishes(taskId);
  });

  test('a push token reaches only its device', async () => {
    const [first, second] = [await phone(), await phone()];
    const [gateway] = carillon.gateways as [RoleProcess];
    await using device1 = await connectDevice(gateway, first.login);
    await using device2 = await connectDevice(gateway, second.login);

    const taskId = await carillon.notify({ push_token: [first.login.push_token] }, { body: 'for one' });

    await countersBecome(taskId, { nativepush: [1, 1, 1] });
    assert.deepEqual(device1.taskIds, [taskId.toString()]);
    assert.deepEqual(device2.taskIds, []);
  });

  test('a device receives a notification once even if the audience contains it several times', async () => {
    const { user, login } = await phone();
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);

    const taskId = await carillon.notify({ user_id: [user.userId, user.userId, user.userId] }, { body: 'once' });

    await countersBecome(taskId, { nativepush: [1, 1, 1] });
    assert.equal(device.received.length, 1);
  });

  test('an offline device with an APNs binding is reached through APNs', async () => {
    const { user, login } = await phone();
    await bind(login, 'live-offline');

    const taskId = await carillon.notify({ user_id: [user.userId] }, { title: 'Ding', body: 'dong', badge: '7' });

    await countersBecome(taskId, { apns: [1, 1, 0] });
    const [arrival] = await carillon.apnsNotificationsFor('live-offline');
    assert.equal(arrival?.collapse_id, taskId.toString());
    assert.deepEqual(arrival?.payload.aps, { alert: { title: 'Ding', body: 'dong' }, badge: 7, sound: 'default' });
    await finishes(taskId);
  });

  test('a relative badge counts up from one notification to the next', async () => {
    const { user, login } = await phone();
    await bind(login, 'live-badge', 0);
    for (const badge of ['', '+2', '10', '+1']) {
      const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'b', badge });
      await countersBecome(taskId, { apns: [1, 1, 0] });
    }
    const badges = (await carillon.apnsNotificationsFor('live-badge')).map(
      ({ payload }) => (payload.aps as { badge: number }).badge,
    );
    assert.deepEqual(
      badges.sort((a, b) => a - b),
      [1, 3, 10, 11],
    );
  });

  test('a connected device that does not acknowledge within five seconds is reached through APNs', async () => {
    const { user, login } = await phone();
    await bind(login, 'live-silent');
    using silent = await connectSilentDevice(carillon.gateways[1] as RoleProcess, login);

    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'are you there?' });

    await countersBecome(taskId, { nativepush: [1, 1, 0] });
    await eventually(() => assert.deepEqual(silent.taskIds, [taskId.toString()]));
    assert.deepEqual(
      await carillon.apnsNotificationsFor('live-silent'),
      [],
      'Apple receives nothing before the five seconds are over',
    );
    await countersBecome(taskId, { nativepush: [1, 1, 0], apns: [1, 1, 0] }, 10);
    await finishes(taskId);
  });

  test('a silent device without a vendor token receives the notification again when it reconnects and acknowledges', async () => {
    const { user, login } = await phone();
    let taskId: bigint;
    {
      using silent = await connectSilentDevice(carillon.gateways[0] as RoleProcess, login);
      taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello?' });
      await eventually(() => assert.deepEqual(silent.taskIds, [taskId.toString()]));
    }
    await using device = await connectDevice(carillon.gateways[1] as RoleProcess, login);
    await countersBecome(taskId, { nativepush: [1, 1, 1] });
    assert.deepEqual(device.taskIds, [taskId.toString()]);
    await finishes(taskId);
  });

  test('nativepush_only keeps notifications for an offline device in the inbox and delivers them in order when it connects', async () => {
    const { user, login } = await phone();
    await bind(login, 'live-not-asked');
    const setting = { distribution_strategy: 'nativepush_only' };
    const first = await carillon.notify({ user_id: [user.userId] }, { body: 'one' }, setting);
    const second = await carillon.notify({ user_id: [user.userId] }, { body: 'two' }, setting);
    await countersBecome(first, { nativepush: [1, 0, 0] });
    await countersBecome(second, { nativepush: [1, 0, 0] });

    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);

    await countersBecome(first, { nativepush: [1, 1, 1] });
    await countersBecome(second, { nativepush: [1, 1, 1] });
    assert.deepEqual(device.taskIds, [first.toString(), second.toString()]);
    assert.deepEqual(await carillon.apnsNotificationsFor('live-not-asked'), []);
    await finishes(first);
    await finishes(second);
  });

  test('ospush_only reaches a connected device only through its vendor', async () => {
    const { user, login } = await phone();
    await bind(login, 'live-vendor-only');
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);

    const taskId = await carillon.notify(
      { user_id: [user.userId] },
      { body: 'by Apple' },
      { distribution_strategy: 'ospush_only' },
    );

    await countersBecome(taskId, { apns: [1, 1, 0] });
    await finishes(taskId);
    assert.deepEqual(device.taskIds, []);
  });

  test('a dead token removes the binding, and the notification waits on the Carillon channel', async () => {
    const { user, login } = await phone();
    await bind(login, 'dead-phone');

    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'moved on' });

    await countersBecome(taskId, { apns: [1, 0, 0], nativepush: [1, 0, 0] });
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    await countersBecome(taskId, { apns: [1, 0, 0], nativepush: [1, 1, 1] });
    assert.deepEqual(device.taskIds, [taskId.toString()]);
    await finishes(taskId);
    const next = await carillon.notify({ user_id: [user.userId] }, { body: 'again' });
    await countersBecome(next, { nativepush: [1, 1, 1] });
  });

  test('a vendor outage delays a notification but does not lose it', async () => {
    const { user, login } = await phone();
    await bind(login, 'live-outage');
    const control = carillon.apns.facts.control_url;
    const fault = { kind: 'outage', requests: 2, environment: 'production' };
    await fetch(`${control}/faults`, { method: 'POST', body: JSON.stringify(fault) });

    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'late' });

    await countersBecome(taskId, { apns: [1, 0, 0] });
    await countersBecome(taskId, { apns: [1, 1, 0] }, 20);
    await finishes(taskId);
  });

  test('accepts an audience that matches no device, with all counters at zero', async () => {
    const taskId = await carillon.notify({ user_id: [1n, 9223372036854775807n] }, { body: 'anyone?' });
    assert.deepEqual(await carillon.counters(taskId), {});
    await finishes(taskId);
  });

  test('the next user of a phone does not receive a notification for the previous user', async () => {
    const [old, next] = [await phone(), await carillon.createUser('next-owner')];
    const setting = { distribution_strategy: 'nativepush_only' };
    const taskId = await carillon.notify({ user_id: [old.user.userId] }, { body: 'private' }, setting);
    await countersBecome(taskId, { nativepush: [1, 0, 0] });

    await carillon.post('/token/logout', {}, { token: old.login.token });
    const login = await carillon.logIn(next, old.login.deviceGuid);
    assert.notEqual(login.push_token, old.login.push_token);
    await using device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const own = await carillon.notify({ user_id: [next.userId] }, { body: 'for the next user' });
    await countersBecome(own, { nativepush: [1, 1, 1] });
    assert.deepEqual(device.taskIds, [own.toString()]);
    assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 0, 0] });
    await assert.rejects(connectDevice(carillon.gateways[0] as RoleProcess, old.login));
  });

  test('every role exits with code 0 after SIGTERM', async () => {
    for (const role of [...carillon.apis, ...carillon.gateways, ...carillon.workers])
      assert.equal(await role.stop(), 0, `exit code of ${role.role}`);
  });
});

test('npm run dev -- --json --temporary starts everything, prints one line and exits on SIGTERM', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  // Without --silent, npm prints the script's command line to stdout first.
  const command = ['run', '--silent', 'dev', '--', '--json', '--temporary'];
  const dev = spawn('npm', command, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  const output = createInterface({ input: dev.stdout }).on('line', (line) => lines.push(line));
  await once(output, 'line');
  const demo = JSON.parse(lines[0] as string) as {
    base_url: string;
    mqtt_url: string;
    websocket_url: string;
    app_id: string;
    admin_token: string;
    users: { user_id: number; name: string; password: string }[];
    phones_url: string;
    simulators: Record<string, string>;
  };
  assert.equal(demo.users.length, 2);
  for (const vendor of ['apns', 'huawei', 'honor'])
    assert.ok((await fetch(demo.simulators[vendor] as string)).ok, vendor);
  assert.match(demo.mqtt_url, /^mqtt:\/\/127\.0\.0\.1:\d+$/);
  assert.match(demo.websocket_url, /^ws:\/\/127\.0\.0\.1:\d+\/mqtt$/);
  const [{ name, password }] = demo.users as [(typeof demo.users)[number]];
  const headers = { app_id: demo.app_id, 'content-type': 'application/json' };
  const login = await fetch(`${demo.base_url}/token/user`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, password }),
  });
  assert.equal(((await login.json()) as { code: number }).code, 200);
  for (const provider of [1, 2, 8, 9]) {
    const certificate = await fetch(`${demo.base_url}/push/certificate?provider=${provider}`, {
      headers: { ...headers, 'access-token': demo.admin_token },
    });
    assert.equal(((await certificate.json()) as { code: number }).code, 200, `provider ${provider}`);
  }

  const pushed = await fetch(`${demo.base_url}/push/notify`, {
    method: 'POST',
    headers: { ...headers, 'access-token': demo.admin_token },
    body: JSON.stringify({ audience: 'all', message: { title: 'Hello', body: 'One request, every device.' } }),
  });
  assert.equal(pushed.status, 200);
  await eventually(async () => {
    const page = await (await fetch(demo.phones_url)).text();
    assert.equal(
      page.match(/<h3>Hello<\/h3>/g)?.length,
      vendorNames.length,
      'one push is displayed on a phone of each vendor',
    );
  });

  dev.kill('SIGTERM');
  const [code] = await once(dev, 'exit');
  assert.equal(code, 0);
  assert.equal(lines.length, 1, 'stdout is exactly one line');
  await assert.rejects(fetch(demo.base_url), 'no process is left running');
});
