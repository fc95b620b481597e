import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { providerByVendor } from '#src/domain/channel.ts';
import { placeStatus } from '#src/domain/slice.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { waitUntilFinished } from '../../support/ledger.ts';

interface ReportedChannel {
  readonly channel: string;
  readonly target: number;
  readonly sent: number;
  readonly received: number;
  readonly clicked: number;
  readonly failures: readonly {
    readonly code: string;
    readonly detail: string | null;
    readonly count: number;
    readonly push_token: string | null;
  }[];
}

let carillon: Carillon;
let ada: TestUser;

before(async () => {
  carillon = await startCarillon();
  ada = await carillon.createUser('ada');
});
after(() => carillon[Symbol.asyncDispose]());

let phones = 0;
async function newPhone(prefix = 'live'): Promise<Login> {
  const login = await carillon.logIn(ada, `phone-${++phones}`);
  const body = { provider: providerByVendor.apns, token: `${prefix}-click-${phones}` };
  await carillon.post('/device/bind', body, { token: login.token });
  return login;
}

const notify = (...logins: readonly Login[]) =>
  carillon.notify(
    { push_token: logins.map(({ push_token }) => push_token) },
    { title: 'Ding', body: 'dong' },
    { distribution_strategy: 'ospush_only' },
  );

async function reportOf(taskId: bigint): Promise<readonly ReportedChannel[]> {
  const { data } = await carillon.post<{ channels: ReportedChannel[] }>('/push/task/report', { task_id: taskId });
  return data.channels;
}

async function referenceOf(token: string): Promise<string> {
  const [arrived] = await eventually(async () => {
    const notifications = await carillon.apnsNotificationsFor(token);
    assert.ok(notifications.length > 0);
    return notifications;
  });
  return arrived?.payload.reference as string;
}

test('a click that a device reports counts once, and also as received', async () => {
  const phone = await newPhone();
  const taskId = await notify(phone);
  const reference = await referenceOf(`live-click-${phones}`);
  const click = () =>
    carillon.post<{ received: number }>(
      '/device/receipt',
      { list: [reference], event: 'clicked' },
      { token: phone.token },
    );
  for (let i = 0; i < 2; i++) assert.deepEqual((await click()).data, { received: 1 });
  const expected = {
    channel: 'apns',
    target: 1,
    sent: 1,
    received: 1,
    clicked: 1,
    recalled: 0,
    recall_failed: 0,
    failures: [],
  };
  await eventually(async () => assert.deepEqual(await reportOf(taskId), [expected]));
  assert.deepEqual(await carillon.counters(taskId), { apns: [1, 1, 1] });
});

test('a receipt without a click counts only as received', async () => {
  const phone = await newPhone();
  const taskId = await notify(phone);
  const reference = await referenceOf(`live-click-${phones}`);
  await carillon.post('/device/receipt', { list: [reference] }, { token: phone.token });
  const [channel] = await reportOf(taskId);
  assert.deepEqual([channel?.received, channel?.clicked], [1, 0]);
});

describe('on the Carillon channel', () => {
  /** Connects a phone that receives one notification over MQTT. */
  async function receive() {
    const login = await carillon.logIn(ada, `phone-${++phones}`);
    const device = await connectDevice(carillon.gateways[0] as RoleProcess, login);
    const taskId = await carillon.notify({ push_token: [login.push_token] }, { body: 'dong' });
    await eventually(() => assert.equal(device.received.length, 1));
    // The worker that sent it, or the receipt, must be recorded first.
    await eventually(async () => assert.deepEqual(await counts(), ['nativepush', 1, 1, 1, 0]));
    const { reference } = device.received[0] as { reference: string };
    return { login, device, taskId, reference, counts };

    async function counts() {
      const [channel] = await reportOf(taskId);
      return [channel?.channel, channel?.target, channel?.sent, channel?.received, channel?.clicked];
    }
  }

  test('a click over HTTP or MQTT counts once', async () => {
    const { login, device, reference, counts } = await receive();
    await using _ = device;
    const body = { list: [reference], event: 'clicked' };
    await carillon.post('/device/receipt', body, { token: login.token });
    await device.client.publishAsync('report/receipt', JSON.stringify(body), { qos: 1 });
    await eventually(async () => assert.deepEqual(await counts(), ['nativepush', 1, 1, 1, 1]));
  });

  test('a click over MQTT counts', async () => {
    const { device, reference, counts } = await receive();
    await using _ = device;
    const body = JSON.stringify({ list: [reference], event: 'clicked' });
    await device.client.publishAsync('report/receipt', body, { qos: 1 });
    await eventually(async () => assert.deepEqual(await counts(), ['nativepush', 1, 1, 1, 1]));
  });

  test('a click counts although a killed worker has not recorded the result', async () => {
    const { login, device, taskId, reference, counts } = await receive();
    await using _ = device;
    await waitUntilFinished(carillon.storage, taskId);
    // A status is set that no worker of this test wrote, so the trigger that checks the laws must not see it.
    const setStatus = async (status: number) => {
      for (const db of carillon.storage.shards.all)
        await db.query(
          `update slices set status = set_byte(status, 0, $2)
            where task_id = $1 and set_config('laws.written_slice', concat_ws('.', task_id, bucket, slice), true) <> ''`,
          [taskId, status],
        );
    };
    await setStatus(placeStatus.planned);
    const body = { list: [reference], event: 'clicked' };
    await carillon.post('/device/receipt', body, { token: login.token });
    await setStatus(placeStatus.sent);
    assert.deepEqual(await counts(), ['nativepush', 1, 1, 1, 1]);
  });

  test('a receipt without a click, or a click of another device, changes nothing', async () => {
    const { login, device, reference, counts } = await receive();
    await using _ = device;
    const { token: otherToken } = await newPhone();
    const report = async (body: object, token: string) =>
      (await carillon.post<{ received: number }>('/device/receipt', { list: [reference], ...body }, { token })).data;
    assert.deepEqual(await report({}, login.token), { received: 0 });
    assert.deepEqual(await report({ event: 'clicked' }, otherToken), { received: 0 });
    await eventually(async () => assert.deepEqual(await counts(), ['nativepush', 1, 1, 1, 0]));
  });
});

describe('the failures of a report', () => {
  const failure = { code: 'token-dead', detail: 'Unregistered', count: 2 };

  test('name the push token of a device that has not been logged out since', async () => {
    const [first, second, live] = [await newPhone('dead'), await newPhone('dead'), await newPhone()];
    const taskId = await notify(first, second, live);
    const examples: (string | null | undefined)[] = [];
    await eventually(async () => {
      const [channel] = await reportOf(taskId);
      assert.deepEqual([channel?.target, channel?.sent], [3, 1]);
      assert.deepEqual(channel?.failures, [{ ...failure, push_token: channel?.failures[0]?.push_token }]);
      examples.push(channel?.failures[0]?.push_token);
    });
    const dead = [first, second].map(({ push_token }) => push_token);
    assert.ok(dead.includes(examples.at(-1) as string), `${examples.at(-1)} is one of ${dead}`);
    const { data } = await carillon.post<{ list: { state: string }[] }>('/push/task/trace', {
      task_id: taskId,
      push_token: examples.at(-1),
    });
    assert.deepEqual(
      data.list.map(({ state }) => state),
      ['ended'],
    );
    for (const { token } of [first, second]) await carillon.post('/token/logout', {}, { token });
    const [channel] = await reportOf(taskId);
    assert.deepEqual(channel?.failures, [{ ...failure, push_token: null }]);
  });

  test('name no device to users', async () => {
    const dead = await newPhone('dead');
    const audience = { push_token: [dead.push_token] };
    const setting = { distribution_strategy: 'ospush_only' };
    const { data } = await carillon.post<{ task_id: bigint }>(
      '/push/notify',
      { audience, message: { body: 'x' }, setting },
      { token: dead.token },
    );
    await eventually(async () => {
      const report = await carillon.post<{ channels: ReportedChannel[] }>(
        '/push/task/report',
        { task_id: data.task_id },
        { token: dead.token },
      );
      assert.deepEqual(report.data.channels[0]?.failures, [{ ...failure, count: 1, push_token: null }]);
    });
  });
});

test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));
