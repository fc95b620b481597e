import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectNats } from '@nats-io/transport-node';
import { isOpen, placeStatus } from '#src/domain/slice.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { type Carillon, type Login, startCarillon, type TestUser } from '../../support/carillon.ts';
import { connectDevice, connectSilentDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLaws } from '../../support/laws.ts';
import { countInboxRows, slicesOf, waitUntilFinished } from '../../support/ledger.ts';
import { testStack } from '../../support/stack.ts';

const ACKNOWLEDGE_SECONDS = 2;
const NATS_PREFIX = `fallback-${randomBytes(6).toString('hex')}`;

/** MQTT 5 reason code "quota exceeded". */
const QUOTA_EXCEEDED = 0x97;
/** Maximum number of unacknowledged notifications of a session. */
const WINDOW = 20;
/** As many notifications as the window and the queue of a session can hold. Others would wait in the inbox. */
const BURST = WINDOW + 100;

describe('fallback after a channel could not deliver', () => {
  let carillon: Carillon;
  let gateway: RoleProcess;
  let users = 0;

  before(async () => {
    carillon = await startCarillon({
      databases: 3, // with more databases, the burst below is divided into smaller requests
      settings: {
        CARILLON_ACKNOWLEDGE_SECONDS: String(ACKNOWLEDGE_SECONDS),
        CARILLON_NATS_PREFIX: NATS_PREFIX,
        // One slot per lane, so that the burst below is passed to the gateway in consecutive groups.
        CARILLON_WORKER_SLOTS: '2',
      },
    });
    [gateway] = carillon.gateways as [RoleProcess];
  });
  after(() => carillon?.[Symbol.asyncDispose]());

  /** Creates a user with a logged-in phone, and binds `apnsToken` if it is given. */
  async function phone(apnsToken?: string): Promise<{ user: TestUser; login: Login }> {
    const user = await carillon.createUser(`person-${++users}`);
    const login = await carillon.logIn(user, `phone-${users}`);
    if (apnsToken !== undefined)
      await carillon.post('/device/bind', { provider: 1, token: apnsToken }, { token: login.token });
    return { user, login };
  }

  const countersBecome = (taskId: bigint, wanted: Record<string, [number, number, number]>, secondsMax?: number) =>
    eventually(async () => assert.deepEqual(await carillon.counters(taskId), wanted), secondsMax);

  const apnsSlice = async (taskId: bigint) => {
    const slices = (await slicesOf(carillon.storage, taskId)).filter(({ channel }) => channel === 'apns');
    assert.equal(slices.length, 1);
    return slices[0] as (typeof slices)[0];
  };

  /** Waits until the only slice of a task on a channel is in the given state, and returns the slice. */
  const sliceBecomes = (taskId: bigint, channel: string, state: string) =>
    eventually(async () => {
      const slices = (await slicesOf(carillon.storage, taskId)).filter((slice) => slice.channel === channel);
      assert.deepEqual(
        slices.map((slice) => slice.state),
        [state],
      );
      return slices[0] as (typeof slices)[0];
    });

  test('a PUBACK with an error does not count as a receipt: the notification stays in the inbox for the next session', async () => {
    const { user, login } = await phone();
    let taskId: bigint;
    {
      const options = { protocolVersion: 5, refuseWith: QUOTA_EXCEEDED } as const;
      await using full = await connectDevice(gateway, login, options);
      taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'no room for it' });
      await eventually(() => assert.deepEqual(full.refused, [taskId.toString()]));

      await sliceBecomes(taskId, 'nativepush', 'waiting');
      assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 0] });
      assert.equal(await countInboxRows(carillon.storage, taskId), 1);
      assert.deepEqual(
        full.refused,
        [taskId.toString()],
        'the session that rejected the notification does not receive it again',
      );
    }
    await using device = await connectDevice(gateway, login, { protocolVersion: 5 });
    await countersBecome(taskId, { nativepush: [1, 1, 1] });
    assert.deepEqual(device.taskIds, [taskId.toString()]);
    await waitUntilFinished(carillon.storage, taskId);
    assert.equal(await countInboxRows(carillon.storage, taskId), 0);
  });

  test('the place of a dead token falls back to the inbox immediately while another place of the slice is still retried', async () => {
    const [dead, down] = [await phone('dead-neighbour'), await phone('down-neighbour')];

    const taskId = await carillon.notify({ user_id: [dead.user.userId, down.user.userId] }, { body: 'both of you' });
    await countersBecome(taskId, { apns: [2, 0, 0], nativepush: [1, 0, 0] }, 5);
    await using device = await connectDevice(gateway, dead.login);
    await countersBecome(taskId, { apns: [2, 0, 0], nativepush: [1, 1, 1] }, 5);

    assert.deepEqual(device.taskIds, [taskId.toString()]);
    const apns = await apnsSlice(taskId);
    assert.ok(apns.status.includes(placeStatus.dead));
    assert.equal(apns.status.filter(isOpen).length, 1);
    // Checks that the place is retried and not only left open.
    await eventually(async () => assert.ok((await apnsSlice(taskId)).attempts > apns.attempts));
  });

  test('a notification for a silent device without a vendor token waits without using a worker', async () => {
    const { user, login } = await phone();
    using silent = await connectSilentDevice(gateway, login);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'hello?' });
    await eventually(() => assert.deepEqual(silent.taskIds, [taskId.toString()]));
    const waiting = await sliceBecomes(taskId, 'nativepush', 'waiting');

    // Every sweep in these seconds skips the slice. A claim would have raised the epoch.
    await sleep(6_000);
    const [later] = await slicesOf(carillon.storage, taskId);
    assert.deepEqual(later, waiting);
    assert.deepEqual(silent.taskIds, [taskId.toString()]);
    assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 0] });
  });

  test('a PUBACK after the fallback still counts, and the notification sent through APNs stays counted', async () => {
    const { user, login } = await phone('live-late');
    using late = await connectSilentDevice(gateway, login);
    const taskId = await carillon.notify({ user_id: [user.userId] }, { body: 'wake up' });
    await countersBecome(taskId, { nativepush: [1, 1, 0], apns: [1, 1, 0] });
    await waitUntilFinished(carillon.storage, taskId);

    late.acknowledge();

    await countersBecome(taskId, { nativepush: [1, 1, 1], apns: [1, 1, 0] }, 3);
    assert.equal((await carillon.apnsNotificationsFor('live-late')).length, 1);
  });

  test('no retry happens after the notification expires, regardless of the delay that the vendor requests', async () => {
    // A busy vendor requests a delay of one minute. A vendor that is down requests none.
    const [busy, down] = [await phone('busy-for-a-minute'), await phone('down-for-good')];
    const end = Math.floor(Date.now() / 1_000) + 5;

    const taskId = await carillon.notify(
      { user_id: [busy.user.userId, down.user.userId] },
      { body: 'only now', show_end_time: end },
    );
    await sliceBecomes(taskId, 'apns', 'ready');
    await waitUntilFinished(carillon.storage, taskId, end + 3 - Date.now() / 1_000);

    assert.ok(Date.now() / 1_000 >= end, 'no place is given up early');
    const [slice, ...others] = await slicesOf(carillon.storage, taskId);
    assert.deepEqual([...(slice?.status ?? [])], [placeStatus.expired, placeStatus.expired]);
    assert.deepEqual(others, []);
    assert.deepEqual(await carillon.counters(taskId), { apns: [2, 0, 0] });
  });

  test(`delivers a burst of ${BURST} notifications to one connected device in the order of writing and without the inbox`, async () => {
    const { user, login } = await phone();
    await using device = await connectDevice(gateway, login);
    await noteInboxes();
    await using requests = await watchDeliveries();

    const [worker] = carillon.workers as [RoleProcess];
    worker.signal('SIGSTOP'); // so that the worker finds all tasks together
    const taskIds = await Promise.all(
      Array.from({ length: BURST }, (_, i) => carillon.notify({ user_id: [user.userId] }, { body: `${i}` })),
    );
    worker.signal('SIGCONT');

    await eventually(() => {
      assert.ok(device.received.length >= BURST, `only ${device.received.length} notifications were received`);
      // The device can receive a notification before this test does.
      assert.ok(requests.taskIds.length >= BURST, `only ${requests.taskIds.length} notifications were requested`);
    });
    assert.ok(
      requests.sizes.some((size) => size > WINDOW),
      'one request has more notifications than the window allows',
    );
    assert.deepEqual(
      device.taskIds,
      requests.taskIds,
      'each notification is received once, in the order in which the gateway received them',
    );
    assert.deepEqual(device.taskIds.map(BigInt).sort(), taskIds.sort());
    for (const taskId of taskIds) await waitUntilFinished(carillon.storage, taskId);
    assert.deepEqual(await notedInboxes(), []);
    for (const taskId of taskIds) assert.deepEqual(await carillon.counters(taskId), { nativepush: [1, 1, 1] });
  });

  test('the ledger satisfies its invariants', () => checkLaws(carillon.storage));

  /** Records every later insert into an inbox, even if the row is deleted soon. */
  async function noteInboxes(): Promise<void> {
    for (const db of carillon.storage.shards.all)
      await db.query(
        `create table noted (task_id bigint);
         create function note_inbox() returns trigger language plpgsql security definer as
           $$ begin insert into noted values (new.task_id); return null; end $$;
         create trigger note_inbox after insert on inbox for each row execute function note_inbox();`,
      );
  }

  async function notedInboxes(): Promise<object[]> {
    return (await Promise.all(carillon.storage.shards.all.map((db) => db.query('select task_id from noted')))).flat();
  }
});

/**
 * Subscribes to the delivery requests that workers send to gateways. Collects the tasks in order and the size of each
 * request.
 */
async function watchDeliveries(): Promise<{ taskIds: string[]; sizes: number[] } & AsyncDisposable> {
  const nats = await connectNats({ servers: [...(await testStack()).natsUrls] });
  const watched = { taskIds: [] as string[], sizes: [] as number[] };
  nats.subscribe(`${NATS_PREFIX}.gateway.*.deliver`, {
    callback: (_error, message) => {
      const deliveries = message.json<[taskId: string, ...unknown[]][]>();
      watched.taskIds.push(...deliveries.map(([taskId]) => taskId));
      watched.sizes.push(deliveries.length);
    },
  });
  await nats.flush();
  return Object.assign(watched, { [Symbol.asyncDispose]: () => nats.close() });
}
