import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type CallOptions, type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice, connectSilentDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

const ACKNOWLEDGE_SECONDS = 2;
const MINUTE_MS = 60_000;

interface TracedDevice {
  readonly push_token: string;
  readonly device_guid: string;
  readonly state: string;
  readonly why: string;
  readonly channels: readonly { channel: string; sent: boolean; acknowledged: boolean; left_out: number }[];
  readonly attempts: readonly { at: number; channel: string; said: string; detail: string | null; text: string }[];
}

describe('the trace of a notification', () => {
  let carillon: Carillon;
  let gateway: RoleProcess;
  let users = 0;

  before(async () => {
    carillon = await startCarillon({ settings: { CARILLON_ACKNOWLEDGE_SECONDS: String(ACKNOWLEDGE_SECONDS) } });
    [gateway] = carillon.gateways as [RoleProcess];
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  async function phone(apnsToken?: string): Promise<{ user: TestUser; login: Login }> {
    const user = await carillon.createUser(`person-${++users}`);
    const login = await carillon.logIn(user, `phone-${users}`);
    if (apnsToken !== undefined)
      await carillon.post('/device/bind', { provider: 1, token: apnsToken }, { token: login.token });
    return { user, login };
  }

  async function trace(taskId: bigint, of: object, options: CallOptions = {}): Promise<TracedDevice[]> {
    const { data } = await carillon.post<{ task_id: number; list: TracedDevice[] }>(
      '/push/task/trace',
      { task_id: taskId, ...of },
      options,
    );
    assert.equal(BigInt(data.task_id), taskId);
    return data.list;
  }

  const traceOf = async (taskId: bigint, { push_token }: Login, options?: CallOptions): Promise<TracedDevice> => {
    const list = await trace(taskId, { push_token }, options);
    assert.equal(list.length, 1);
    return list[0] as TracedDevice;
  };

  /** Returns the events of a trace as `channel word detail`. */
  const story = ({ attempts }: TracedDevice) =>
    attempts.map(({ channel, said, detail }) => [channel, said, ...(detail === null ? [] : [detail])].join(' '));

  /** Waits until the trace has exactly these events, and returns it. */
  const becomes = (taskId: bigint, login: Login, ...wanted: readonly (string | RegExp)[]) =>
    eventually(async () => {
      const traced = await traceOf(taskId, login);
      const traceText = story(traced);
      assert.equal(traceText.length, wanted.length, traceText.join('\n'));
      for (const [i, line] of wanted.entries())
        if (typeof line === 'string') assert.equal(traceText[i], line);
        else assert.match(traceText[i] as string, line);
      return traced;
    });

  test('shows an acknowledgement on the Carillon channel', async () => {
    const { user, login } = await phone();
    await using _device = await connectDevice(gateway, login);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });
    await waitUntilFinished(carillon.storage, taskId);

    const traced = await becomes(taskId, login, 'nativepush written');
    assert.equal(traced.state, 'acknowledged');
    assert.equal(traced.why, 'Delivered: the device acknowledged the notification on the Carillon channel.');
    assert.deepEqual(traced.channels, [{ channel: 'nativepush', sent: true, acknowledged: true, left_out: 0 }]);
    assert.equal(traced.device_guid, login.deviceGuid);
    assert.ok(Math.abs((traced.attempts[0]?.at as number) - Date.now()) < MINUTE_MS);
  });

  test('shows a silent device that was reached through APNs', async () => {
    const { user, login } = await phone('live-silent');
    using _silent = await connectSilentDevice(gateway, login);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello?' });

    const words = [
      'nativepush written',
      `nativepush silent ${ACKNOWLEDGE_SECONDS} s`,
      /^apns accepted [0-9A-Fa-f-]{36}$/,
    ];
    const traced = await becomes(taskId, login, ...words);
    assert.equal(traced.state, 'sent');
    assert.match(traced.why, /^Apple accepted the notification at 20\d\d-/);
    assert.deepEqual(
      traced.channels.map(({ channel, sent, acknowledged }) => [channel, sent, acknowledged]),
      [
        ['nativepush', true, false],
        ['apns', true, false],
      ],
    );
    const [written, silent] = traced.attempts.map(({ at }) => at) as [number, number];
    assert.ok(silent - written >= ACKNOWLEDGE_SECONDS * 1_000, 'the attempts have the times at which they happened');
  });

  test('shows a dead token with the reason from APNs, followed by the inbox', async () => {
    const { user, login } = await phone('dead-traced');
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });

    const traced = await becomes(taskId, login, /^apns token-dead \w+$/, 'nativepush in-inbox');
    assert.equal(traced.state, 'open');
    const because =
      /because the device was not connected and Apple reported the vendor token as invalid \(\w+\)\. The device receives the notification when/;
    assert.match(traced.why, because);
    const until = Date.parse(/until (\S+Z)/.exec(traced.why)?.[1] as string);
    assert.ok(until > Date.now() + 23 * 60 * MINUTE_MS, 'the inbox keeps the notification for almost a day or longer');

    await using _device = await connectDevice(gateway, login);
    await eventually(async () => assert.equal((await traceOf(taskId, login)).state, 'acknowledged'));
  });

  test('shows an event that a newer worker recorded and this API version does not support', async () => {
    const { user, login } = await phone();
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello' });
    await becomes(taskId, login, 'nativepush in-inbox');
    for (const db of carillon.storage.shards.all)
      await db.query(`update slices set history = history || '1 postponed 0 by an hour'::text where task_id = $1`, [
        taskId,
      ]);

    const traced = await becomes(taskId, login, 'nativepush postponed by an hour', 'nativepush in-inbox');
    assert.equal(traced.attempts[0]?.text, 'A newer version of Carillon recorded "postponed": by an hour.');
  });

  test('shows a task that was cancelled while it waited', async () => {
    const { user, login } = await phone();
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'not yet' });
    await becomes(taskId, login, 'nativepush in-inbox');
    await carillon.post('/push/task/cancel', { task_id: taskId });

    const traced = await becomes(taskId, login, 'nativepush in-inbox', 'nativepush cancelled');
    assert.equal(traced.state, 'ended');
    assert.equal(traced.why, 'The task was cancelled before it reached this device.');
  });

  test('shows a device that was logged out while Apple was down, to an admin and not to the next user of the phone', async () => {
    const { user, login } = await phone('down-handed');
    const next = await carillon.createUser('next-owner');
    // Sent on behalf of the next user, who can therefore see the task.
    const headers = { user_id: next.userId.toString() };
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'for you only' }, {}, { headers });
    await eventually(async () => {
      const traced = await traceOf(taskId, login);
      assert.match(story(traced).join(), /^apns unreachable/);
      assert.match(traced.why, /^Apple did not return a clear response: .* Carillon retries at /);
    });
    await carillon.post('/token/logout', {}, { token: login.token });
    const handed = await carillon.logIn(next, login.deviceGuid);
    await waitUntilFinished(carillon.storage, taskId, 30);

    const { data } = await carillon.post<{ list: TracedDevice[] }>('/push/task/trace', {
      task_id: taskId,
      user_id: user.userId,
    });
    const [traced] = data.list as [TracedDevice];
    assert.deepEqual([data.list.length, traced.device_guid, traced.state], [1, login.deviceGuid, 'ended']);
    assert.match(traced.why, /^The device was logged out/);
    assert.equal(story(traced).at(-1), 'apns logged-out');
    assert.equal(
      (await carillon.tryPost('/push/task/trace', { task_id: taskId, push_token: login.push_token })).code,
      12008,
    );

    const traceText = await traceOf(taskId, handed, { token: handed.token });
    assert.deepEqual([traceText.state, traceText.channels, traceText.attempts], ['outside', [], []]);
  });

  test('shows each device of a user, including one that was logged out', async () => {
    const { user, login } = await phone();
    const tablet = await carillon.logIn(user, `tablet-${users}`);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'both' });
    await becomes(taskId, tablet, 'nativepush in-inbox');
    await carillon.post('/token/logout', {}, { token: login.token });

    const list = await trace(taskId, { user_id: user.userId });
    const byGuid = new Map(list.map((traced) => [traced.device_guid, traced]));
    assert.equal(byGuid.size, 2);
    assert.match(byGuid.get(tablet.deviceGuid)?.why ?? '', /^The notification waits in the device's inbox/);
    assert.match(byGuid.get(login.deviceGuid)?.why ?? '', /^The device was logged out/);
  });

  test('shows devices of a task to all in their shards, and explains why a later device is not included', async () => {
    const { login } = await phone();
    const taskId = await carillon.notify('all', { body: 'everyone' });
    await becomes(taskId, login, 'nativepush in-inbox');
    const late = await phone();
    const traced = await traceOf(taskId, late.login);
    assert.equal(traced.state, 'outside');
    assert.match(traced.why, /^The device's owner logged in on it at .*, after the task was due at /);
  });

  test('shows a device that no channel can reach', async () => {
    const { user, login } = await phone();
    const setting = { distribution_strategy: 'ospush_only' };
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'x' }, setting);
    await waitUntilFinished(carillon.storage, taskId);
    const traced = await traceOf(taskId, login);
    assert.deepEqual(
      [traced.state, traced.why.replace(/\d{4}-\d\d-\d\d/, 'DAY'), story(traced)],
      [
        'ended',
        'No channel can reach the device: no vendor token is registered and the task uses only vendor channels. The device last connected or logged in on DAY.',
        [],
      ],
    );
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
});
