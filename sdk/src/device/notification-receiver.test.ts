import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodePuback } from './connection.ts';
import { parseNotification, type ReceivedNotification } from './notification.ts';
import { type NotificationHandler, NotificationReceiver, pubackCodes } from './notification-receiver.ts';
import { type DeviceStorage, loadPersistedState } from './persisted-state.ts';

const bytesOf = (payload: string): Uint8Array => new TextEncoder().encode(payload);
const payloadOf = (id: number | string, more: object = {}): Uint8Array =>
  bytesOf(JSON.stringify({ task_id: `${id}`, message_id: `${id}`, type: 'text', badge: '+1', ...more }));

async function receive(onNotification: NotificationHandler, storage?: DeviceStorage) {
  const [badges, problems, recalled] = [[] as number[], [] as Error[], [] as bigint[]];
  const persisted = await loadPersistedState(storage, 'device');
  const reception = new NotificationReceiver({
    persisted,
    onNotification,
    onRecall: ({ message_id }) => recalled.push(message_id),
    onBadge: (badge) => badges.push(badge),
    onProblem: (problem) => problems.push(problem),
  });
  return { reception, persisted, badges, problems, recalled };
}

describe('recalled notifications', () => {
  const recallOf = (id: number) => bytesOf(JSON.stringify({ task_id: `${id}`, message_id: `${id}` }));

  test('are reported after they were shown', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { reception, recalled } = await receive(() => promise);
    const showing = reception.receive(payloadOf(1));
    const recalling = reception.recall(recallOf(1));
    await new Promise((done) => setImmediate(done));
    assert.deepEqual(recalled, []);
    resolve();
    await Promise.all([showing, recalling]);
    assert.deepEqual(recalled, [1n]);
  });

  test('are not shown if they arrive after their recall', async () => {
    let shown = 0;
    const { reception, recalled } = await receive(() => shown++);
    await reception.recall(recallOf(1));
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.success);
    assert.deepEqual([shown, recalled], [0, [1n]]);
  });

  test('are ignored if the payload is not a recall', async () => {
    const { reception, recalled } = await receive(() => undefined);
    for (const payload of ['', '[]', '{"message_id":1}', '{"message_id":"1"}'])
      await reception.recall(bytesOf(payload));
    assert.deepEqual(recalled, []);
  });
});

describe('received notifications', () => {
  test('are shown once and acknowledged each time', async () => {
    const shown: bigint[] = [];
    const { reception, badges } = await receive(({ message_id }) => shown.push(message_id));
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.success);
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.success);
    assert.equal(await reception.receive(payloadOf(2)), pubackCodes.success);
    assert.deepEqual(shown, [1n, 2n]);
    assert.deepEqual(badges, [1, 2], 'a repeat does not change the badge');
  });

  test('are not shown again after a reload', async () => {
    const items = new Map<string, string>();
    const storage: DeviceStorage = {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => items.set(key, value),
    };
    let shown = 0;
    await (await receive(() => shown++, storage)).reception.receive(payloadOf(1));
    const { reception, persisted } = await receive(() => shown++, storage);
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.success);
    assert.deepEqual([shown, persisted.badge], [1, 1]);
  });

  test('are acknowledged after they were shown, and a repeat waits for the same handler', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let shown = 0;
    const { reception } = await receive(() => {
      shown++;
      return promise;
    });
    const answers: number[] = [];
    const both = [reception.receive(payloadOf(1)), reception.receive(payloadOf(1))];
    for (const answer of both) void answer.then((code) => answers.push(code));
    await new Promise((done) => setImmediate(done));
    assert.deepEqual(answers, []);
    resolve();
    await Promise.all(both);
    assert.deepEqual([answers, shown], [[pubackCodes.success, pubackCodes.success], 1]);
  });

  test('are rejected if the handler fails, and shown when they are sent again', async () => {
    const attempts: bigint[] = [];
    const { reception, problems, badges } = await receive(({ message_id }) => {
      attempts.push(message_id);
      if (attempts.length === 1) throw new Error('no screen');
      return attempts.length === 2 ? Promise.reject(new Error('still none')) : undefined;
    });
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.failed);
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.failed);
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.success);
    assert.deepEqual(
      problems.map(({ cause }) => (cause as Error).message),
      ['no screen', 'still none'],
    );
    assert.deepEqual([attempts, badges], [[1n, 1n, 1n], [1]]);
  });

  test('are rejected after a minute if the handler has not ended, and not shown again if it ends later', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { promise, resolve } = Promise.withResolvers<void>();
    let shown = 0;
    const { reception, problems, persisted } = await receive(() => {
      shown++;
      return promise;
    });
    const answer = reception.receive(payloadOf(1));
    t.mock.timers.tick(60_000);
    assert.equal(await answer, pubackCodes.failed);
    assert.equal(problems.length, 1);
    resolve();
    await promise;
    await persisted.save();
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.success);
    assert.equal(shown, 1);
  });

  test('are acknowledged even if the state cannot be saved', async () => {
    const storage: DeviceStorage = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    const { reception, problems } = await receive(() => undefined, storage);
    assert.equal(await reception.receive(payloadOf(1)), pubackCodes.success);
    assert.deepEqual(
      problems.map(({ cause }) => (cause as Error).message),
      ['full'],
    );
  });

  const nonsense = ['', '{', 'null', '[]', '{}', '{"task_id":1,"message_id":1}', '{"task_id":"1","message_id":"x"}'];
  for (const payload of nonsense)
    test(`${payload === '' ? 'nothing' : payload} is not a notification`, async () => {
      const { reception, problems } = await receive(() => assert.fail('the handler was called'));
      assert.equal(await reception.receive(bytesOf(payload)), pubackCodes.unreadable);
      assert.equal(problems.length, 1);
    });
});

describe('a notification', () => {
  test('keeps every digit of its integers, and the other fields as sent', () => {
    const payload = bytesOf(
      '{"task_id":"9007199254740993","message_id":"9007199254740993","reference":"9007199254740993.17.3","type":"cmd","badge":"7","title":"Hello","show_begin_time":1794700800,"ext":{"seat":9007199254740993,"row":1}}',
    );
    assert.deepEqual(parseNotification(payload), {
      task_id: 9007199254740993n,
      message_id: 9007199254740993n,
      reference: '9007199254740993.17.3',
      type: 'cmd',
      badge: '7',
      title: 'Hello',
      show_begin_time: 1794700800n,
      ext: { seat: 9007199254740993n, row: 1 },
    } satisfies ReceivedNotification);
  });
});

test('a PUBACK has four bytes, and a fifth byte if the message was rejected', () => {
  assert.deepEqual([...encodePuback(0x1234, 0)], [0x40, 2, 0x12, 0x34]);
  assert.deepEqual([...encodePuback(65_535, 0x80)], [0x40, 3, 0xff, 0xff, 0x80]);
});
