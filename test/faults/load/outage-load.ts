import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUCKETS } from '#src/domain/bucket.ts';
import { bucketOfTask, firstTaskIdAt } from '#src/domain/task.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import type { Login } from '../../support/carillon.ts';
import type { TestDevice } from '../../support/device.ts';
import { connectSwarmDevice } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { startReadingCounts } from '../../support/history/read-history.ts';
import { countInboxRows } from '../../support/ledger.ts';
import { copyTask, createDayPartitions } from '../../support/old-tasks.ts';
import type { ShardOutage } from '../../support/shard-outage.ts';
import type { Sample } from './latency-table.ts';

/** The expected counters of a finished task, as target, sent and received of each channel. */
const expectedCounts = {
  acknowledged: { nativepush: [1, 1, 1] },
  'accepted by APNs': { apns: [1, 1, 0] },
  cancelled: {},
} as const;

type Expected = keyof typeof expectedCounts;

/** A sample that ends when the task reaches its device or APNs. */
interface SentSample extends Omit<Sample, 'end'> {
  readonly taskId: bigint;
}

interface Phone {
  readonly userId: bigint;
  readonly login: Login;
}

const COMBINED = { distribution_strategy: 'combined' };
const DAY_MS = 24 * 60 * 60 * 1_000;
const PHONES = 16;
const USERS = 8;
/** Longer than the acknowledgement timeout, so that the notification also goes to APNs. */
const ACKNOWLEDGE_AFTER_MS = 8_000;
/** The phones that acknowledge late send no PINGREQ. */
const KEEPALIVE_SECONDS = 600;
/** More phones than are used at a time, because each is used again only after it is offline. */
const OFFLINE_PHONES = 40;
/** Interval between two uses of most functions, which is 120 uses in 30 s. */
const EVERY_MS = 250;
const RESTART_EVERY_MS = 6_000;
const SCHEDULED_SECONDS = 2;
const OLD_TASK_DUE_MS = 1_500;
/** A cancelled task is due when sends must have stopped. */
const CANCELLED_DUE_SECONDS = 7;
const STEP_SECONDS_MAX = 60;

/**
 * Uses every function of a service for devices in available databases, at constant rates, and measures the time that
 * each use takes. Notifications for devices in the other database are sent at the same time.
 */
export class OutageLoad implements AsyncDisposable {
  /** The errors of failed calls. */
  readonly failures: string[] = [];
  readonly #outage: ShardOutage;
  readonly #samples: Sample[] = [];
  readonly #sentSamples: SentSample[] = [];
  readonly #expected = new Map<bigint, Expected>();
  readonly #parts = new AsyncDisposableStack();
  readonly #over = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #readingCounts: { stop(): Promise<void> } | undefined;
  #restarted: RoleProcess;

  constructor(outage: ShardOutage) {
    this.#outage = outage;
    this.#restarted = outage.carillon.gateways.at(-1) as RoleProcess;
  }

  /** Creates users and devices, and starts the load. The last gateway of the installation is restarted repeatedly. */
  async start(): Promise<void> {
    const { carillon, history } = this.#outage;
    await this.#startOldTasks();
    await this.#startNotifications();
    await this.#startInboxes();
    await this.#startLogins();
    await this.#startOtherDatabase();
    const phone = await this.#outage.addDevice('available');
    this.#repeat(RESTART_EVERY_MS, 'one by one', () => this.#restartGateway(phone));
    this.#readingCounts = startReadingCounts(carillon, history);
  }

  /** Ends the load, and waits until every task is finished. */
  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#running);
    await this.#outage.waitUntilFinished();
    await this.#readingCounts?.stop();
  }

  /** Returns all samples, with the times at which devices and APNs received the notifications. */
  samples(): Sample[] {
    const { deliveries, vendorDeliveries } = this.#outage.history;
    const arrivals = new Map<bigint, number>();
    for (const { taskId, start } of [...deliveries.toReversed(), ...vendorDeliveries]) arrivals.set(taskId, start);
    const sent = this.#sentSamples.map(({ taskId, ...sample }) => ({ ...sample, end: arrivals.get(taskId) }));
    return [...this.#samples, ...sent];
  }

  /** Returns a sentence for each task whose final counters are not as expected. */
  wrongCounts(): string[] {
    const { reads } = this.#outage.history;
    const lastReads = new Map(reads.map((read) => [read.taskId, read.counts]));
    return [...this.#expected].flatMap(([taskId, expected]) => {
      const counts = lastReads.get(taskId) ?? {};
      const found = Object.entries(expectedCounts[expected]).every(([channel, triple]) =>
        ['target', 'sent', 'received'].every((name, i) => counts[`${channel}_${name}`] === triple[i]),
      );
      const sent = Object.entries(counts).reduce(
        (sum, [name, count]) => (name.endsWith('_sent') ? sum + count : sum),
        0,
      );
      if (found && (expected !== 'cancelled' || sent === 0)) return [];
      const nonZero = Object.entries(counts).filter(([, count]) => count !== 0);
      return [`task ${taskId} is not ${expected}: ${JSON.stringify(Object.fromEntries(nonZero))}`];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#running);
    await this.#readingCounts?.stop();
    await this.#parts.disposeAsync();
  }

  /** Sends over MQTT, through APNs, through APNs after a missing acknowledgement, later, and cancels tasks. */
  async #startNotifications(): Promise<void> {
    const outage = this.#outage;
    const connected = await this.#addPhones('available');
    for (const { login } of connected) await this.#connect(login);
    const inApns = await this.#addPhones('available', 'live-available');
    const late = await this.#addPhones('available', 'live-late');
    for (const { login } of late) {
      const onNotification = (taskId: string) =>
        outage.history.delivered(login.deviceGuid, taskId, { acknowledged: false });
      const port = outage.carillon.gateways[0]?.ports.gateway as number;
      const options = { acknowledgeAfterMs: ACKNOWLEDGE_AFTER_MS, keepalive: KEEPALIVE_SECONDS, onNotification };
      this.#parts.use(await connectSwarmDevice(port, login, options));
    }
    this.#repeat(EVERY_MS, 'at the same time', async (i) => {
      const { login, userId } = pick(connected, i);
      await this.#send('MQTT send', i % 2 === 0 ? login : { user_id: [userId] }, 'acknowledged');
    });
    this.#repeat(EVERY_MS, 'at the same time', (i) =>
      this.#send('vendor send', pick(inApns, i).login, 'accepted by APNs', COMBINED),
    );
    this.#repeat(EVERY_MS, 'at the same time', async (i) => {
      const start = Date.now();
      const taskId = await outage.notifyFromAvailable(pick(late, i).login, 'unacknowledged', COMBINED);
      this.#sentSamples.push({ name: 'fallback', start, taskId });
      this.#expected.set(taskId, 'accepted by APNs');
    });
    this.#repeat(EVERY_MS, 'at the same time', async (i) => {
      const dueAt = Math.floor(Date.now() / 1_000) + SCHEDULED_SECONDS;
      const message = { body: 'scheduled', show_begin_time: dueAt };
      const taskId = await outage.notifyFromAvailable(pick(connected, i).login, message);
      this.#sentSamples.push({ name: 'scheduled task', start: dueAt * 1_000, taskId });
      this.#expected.set(taskId, 'acknowledged');
    });
    this.#repeat(EVERY_MS, 'at the same time', (i) => this.#cancel('cancel', pick(connected, i).login));
  }

  /** Lets tasks become due that were accepted more than two days ago. */
  async #startOldTasks(): Promise<void> {
    const { carillon, history, settings } = this.#outage;
    const { storage } = carillon;
    await createDayPartitions(storage, 5);
    const { login } = await this.#outage.addDevice('available');
    const device = await this.#connect(login);
    const original = await this.#outage.notifyFromAvailable(login, 'scheduled days ago');
    await eventually(() => assert.ok(device.taskIds.includes(original.toString())));
    let taskId = firstTaskIdAt(new Date(Date.now() - 3.5 * DAY_MS)) + 5n;
    assert.equal(this.#outage.sideOf(bucketOfTask(taskId)), 'available');
    const add = async (dueInMs: number) => {
      taskId += BigInt(BUCKETS);
      const added = { taskId, start: Date.now() };
      const dueAt = await copyTask(storage, original, { taskId: added.taskId, dueInMs });
      history.accepted(added.taskId, added.start);
      return { ...added, dueAt };
    };
    // A worker reads the days with open tasks when it starts.
    await add(OLD_TASK_DUE_MS);
    for (const worker of carillon.workers.splice(0)) await worker.stop();
    await carillon.start('worker', settings);
    this.#repeat(EVERY_MS, 'at the same time', async () => {
      const { taskId: addedId, dueAt } = await add(OLD_TASK_DUE_MS);
      this.#sentSamples.push({ name: 'task scheduled days ago', start: dueAt.getTime(), taskId: addedId });
      this.#expected.set(addedId, 'acknowledged');
    });
  }

  /** Lets devices connect that have a notification in their inbox. */
  async #startInboxes(): Promise<void> {
    const phones = await this.#addPhones('available', undefined, OFFLINE_PHONES);
    const [gateway] = this.#outage.carillon.gateways as [RoleProcess];
    this.#repeat(EVERY_MS, 'at the same time', async () => {
      const phone = phones.shift() ?? assert.fail('no phone is offline');
      const taskId = await this.#waitInInbox(phone.login);
      const start = Date.now();
      const device = await this.#outage.connect(gateway, phone.login);
      this.#sentSamples.push({ name: 'inbox on connect', start, taskId });
      await this.#waitUntilOutOfInbox(taskId);
      await device[Symbol.asyncDispose]();
      phones.push(phone);
    });
  }

  /**
   * Logs users in with a device. Every second user also has a device in the other database. No password is used: its
   * hash is computed at the lowest priority, so the time would depend on other processes.
   */
  async #startLogins(): Promise<void> {
    const { carillon } = this.#outage;
    const users: { user_id: bigint; device_guid: string }[] = [];
    for (let i = 0; i < USERS; i++) {
      const { userId } = await this.#outage.addDevice(i % 2 === 0 ? 'proxied' : 'available');
      users.push({ user_id: userId, device_guid: this.#outage.newGuid('available') });
    }
    this.#repeat(EVERY_MS, 'at the same time', async (i) => {
      const start = Date.now();
      await carillon.post('/admin/user/token', pick(users, i));
      this.#samples.push({ name: 'login', start, end: Date.now() });
    });
  }

  /** Sends to devices in the other database, from slices in both databases, and cancels such tasks. */
  async #startOtherDatabase(): Promise<void> {
    const outage = this.#outage;
    const connected = await this.#addPhones('proxied');
    for (const { login } of connected) await this.#connect(login);
    const inApns = await this.#addPhones('proxied', 'live-proxied');
    this.#repeat(2 * EVERY_MS, 'at the same time', async (i) => {
      const [phones, setting, expected] =
        i % 2 === 0 ? ([connected, {}, 'acknowledged'] as const) : ([inApns, COMBINED, 'accepted by APNs'] as const);
      const { login } = pick(phones, i >> 1);
      const taskId =
        i % 4 < 2
          ? await outage.notifyFromAvailable(login, 'missed', setting)
          : await outage.notify({ push_token: [login.push_token] }, { body: 'missed' }, setting);
      this.#expected.set(taskId, expected);
    });
    this.#repeat(2 * EVERY_MS, 'at the same time', (i) =>
      this.#cancel('cancel for the other database', pick(connected, i).login),
    );
  }

  async #restartGateway({ login }: Phone): Promise<void> {
    const { carillon, settings } = this.#outage;
    const taskId = await this.#waitInInbox(login);
    const start = Date.now();
    await this.#restarted.stop();
    carillon.gateways.splice(carillon.gateways.indexOf(this.#restarted), 1);
    this.#restarted = await carillon.start('gateway', settings);
    const device = await this.#outage.connect(this.#restarted, login);
    this.#sentSamples.push({ name: 'gateway restart', start, taskId });
    await this.#waitUntilOutOfInbox(taskId);
    await device[Symbol.asyncDispose]();
  }

  async #send(
    name: string,
    audience: Login | { user_id: readonly bigint[] },
    expected: Expected,
    setting: object = {},
  ): Promise<void> {
    const start = Date.now();
    const taskId = await this.#outage.notifyFromAvailable(audience, name, setting);
    this.#sentSamples.push({ name, start, taskId });
    this.#expected.set(taskId, expected);
  }

  async #cancel(name: string, login: Login): Promise<void> {
    const dueAt = Math.floor(Date.now() / 1_000) + CANCELLED_DUE_SECONDS;
    const taskId = await this.#outage.notifyFromAvailable(login, { body: name, show_begin_time: dueAt });
    const start = Date.now();
    await this.#outage.cancel(taskId);
    this.#samples.push({ name, start, end: Date.now() });
    this.#expected.set(taskId, 'cancelled');
  }

  /** Sends a notification to an offline device, and waits until it is in the inbox. */
  async #waitInInbox(login: Login): Promise<bigint> {
    const taskId = await this.#outage.notifyFromAvailable(login, 'for the inbox');
    this.#expected.set(taskId, 'acknowledged');
    await eventually(async () => assert.equal(await this.#countInboxRows(taskId), 1), STEP_SECONDS_MAX);
    return taskId;
  }

  async #waitUntilOutOfInbox(taskId: bigint): Promise<void> {
    await eventually(async () => assert.equal(await this.#countInboxRows(taskId), 0), STEP_SECONDS_MAX);
  }

  #countInboxRows(taskId: bigint): Promise<number> {
    return countInboxRows(this.#outage.carillon.storage, taskId);
  }

  #addPhones(side: 'available' | 'proxied', tokenPrefix?: string, count = PHONES): Promise<Phone[]> {
    return Promise.all(
      Array.from({ length: count }, (_, i) =>
        this.#outage.addDevice(side, tokenPrefix === undefined ? undefined : `${tokenPrefix}-${i}`),
      ),
    );
  }

  async #connect(login: Login): Promise<TestDevice> {
    const [gateway] = this.#outage.carillon.gateways as [RoleProcess];
    return this.#parts.use(await this.#outage.connect(gateway, login));
  }

  /**
   * Repeats an action at a constant rate until the load ends. `at the same time` starts the next action even if the
   * previous one has not ended, so that a delay of the service does not reduce the number of samples.
   */
  #repeat(everyMs: number, how: 'one by one' | 'at the same time', work: (i: number) => Promise<void>): void {
    const { signal } = this.#over;
    const began = performance.now() + Math.random() * everyMs;
    const start = (i: number) => {
      const running = work(i)
        .catch((error: unknown) => void this.failures.push(`${error}`))
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
      return running;
    };
    const loop = async () => {
      for (let i = 0; !signal.aborted; i++) {
        await sleep(Math.max(0, began + i * everyMs - performance.now()), undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        const running = start(i);
        if (how === 'one by one') await running;
      }
    };
    const looping = loop().finally(() => this.#running.delete(looping));
    this.#running.add(looping);
  }
}

const pick = <T>(items: readonly T[], i: number): T => items[i % items.length] as T;
