import { setTimeout as sleep } from 'node:timers/promises';
import { sliceKeyText } from '#src/domain/slice.ts';
import { ApiClient } from '../caller.ts';
import { singleNotificationTo } from '../latency.ts';
import { createPhones, type Phone, Phones } from '../phones/phones.ts';
import { type Service, startService } from '../service.ts';
import type { Measurement } from './compare-budget.ts';
import { countMitigations, type MitigationStatements, mitigationsPerUnit, type StatementCalls } from './mitigations.ts';
import { divideWork, subtractIdle, type Work, type WorkPerUnit } from './work.ts';

/** Above CARILLON_SINGLE_EXPANSION_DEVICES_MAX, so that a push to all devices is expanded by ranges. */
const DEVICES = 15_000;
/** Number of operations in each scenario that repeats a small operation. */
const OPERATIONS = 200;
/**
 * Operations start at fixed intervals, so that the machine does not determine how many of them are processed together.
 * Each is processed alone, except that a sweep closes the slices of about ten pushes.
 */
const PUSH_MS = 100;
/** Longer than the 50 ms for which receipts are collected. */
const RECEIPT_MS = 75;
const CONNECT_MS = 50;
/** Each login hashes a password, which takes some time. */
const LOGIN_MS = 400;
const LOGINS = 40;
/**
 * Phones acknowledge after this time, so that the worker has always recorded the sending before the receipt is written.
 * Otherwise the worker closes some slices itself and leaves others to the sweep, depending on the machine.
 */
const ACKNOWLEDGE_MS = 250;
const PUSHES_TO_ALL = 6;
/** Phones that a notification waits for, and how many of them connect. */
const WAITING_PHONES = 300;
const WAITING_CONNECTS = 12;
/** Longer than the second between two sweeps, so that each acknowledgement could cause a separate claim. */
const WAITING_MS = 1_200;
/** Longer than the time after which a gateway considers its heartbeat late. */
const FROZEN_MS = 5_500;
/** Part of a query with which a worker refreshes its metrics, every ten seconds. */
const METRICS_QUERY = '%pg_stat_get_live_tuples%';
const METRICS_REFRESHES = 3;
const SECONDS_PER_MINUTE = 60;
const STATEMENT_LENGTH_MAX = 120;
const MESSAGE = { title: 'Your order', body: 'It is on its way and arrives this afternoon.' };

/**
 * The amount of WAL must depend only on the work. By default, PostgreSQL writes a page as a whole when it changes for
 * the first time after a checkpoint, and autovacuum runs at any time.
 */
const POSTGRES_SETTINGS = {
  full_page_writes: 'off',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
};

interface Options {
  readonly say: (line: string) => void;
  /** Reports how often each statement is executed in each scenario, including those of an idle service. */
  readonly listStatements: boolean;
}

/** Starts a service with default settings, and measures the work of typical operations. */
export async function measureScenarios(options: Options): Promise<Measurement> {
  const { say } = options;
  await using resources = new AsyncDisposableStack();
  const service = await startService(resources, say, { gateways: 1, workers: 1, postgresSettings: POSTGRES_SETTINGS });
  const { carillon } = service;
  const phones = await createPhones(carillon, DEVICES, say, (n) => ({
    vendors: n <= OPERATIONS ? ['apns'] : [],
    ...{ latestDomestic: null, generation: 1, seenDaysAgo: 0, gateway: null },
  }));
  const [firstPhones, otherPhones] = [phones.slice(0, OPERATIONS), phones.slice(OPERATIONS)];
  const connections = resources.use(new Phones());
  await connections.delayAcknowledgements(ACKNOWLEDGE_MS);
  const ports = [carillon.gateways[0]?.ports.gateway as number];

  // The first operations after a start also fill caches.
  const warmUpPhone = otherPhones.pop() as Phone;
  await connections.connect([warmUpPhone], ports);
  await service.caller.post('/push/notify', singleNotificationTo(warmUpPhone));
  await service.meter.awaitFinishedTasks();

  const scenarios = new Scenarios(service, options);
  const connect = await scenarios.observeOperations('connect', CONNECT_MS, (n) =>
    connections.connect([firstPhones[n] as Phone], ports),
  );
  const idle = await scenarios.observeIdle();
  const singlePush = await scenarios.observeOperations('single push', PUSH_MS, (n) =>
    service.caller.post('/push/notify', singleNotificationTo(firstPhones[n] as Phone)),
  );
  const receipt = await scenarios.observeReceipts(firstPhones);
  const waitingPhones = otherPhones.splice(-WAITING_PHONES);
  const waiting = await scenarios.observeWaiting(waitingPhones, (phone) => connections.connect([phone], ports));
  await connections.connect([...otherPhones, ...waitingPhones.slice(WAITING_CONNECTS)], ports);
  const pushToAll = await scenarios.observePushesToAll(idle);
  const reconnect = await scenarios.observeReconnect();
  // The last scenario, because a push to all would wait for this device.
  const { name, password } = await carillon.createUser('ada');
  const loginBody = { name, password, device_guid: 'phone-of-ada' };
  await service.caller.post('/token/user', loginBody);
  const login = await scenarios.observeOperations(
    'login',
    LOGIN_MS,
    () => service.caller.post('/token/user', loginBody),
    LOGINS,
  );
  const perUnit = (work: Work, units: number): WorkPerUnit => divideWork(subtractIdle(work, idle), units);
  const minutes = idle.seconds / SECONDS_PER_MINUTE;
  return {
    scenarios: {
      'single push': perUnit(singlePush, OPERATIONS),
      'push to all, per push': divideWork(pushToAll, 1),
      'push to all, per device': divideWork(pushToAll, DEVICES),
      connect: perUnit(connect, OPERATIONS),
      login: perUnit(login, LOGINS),
      receipt: perUnit(receipt, OPERATIONS),
      waiting: perUnit(waiting, WAITING_CONNECTS),
      'reconnect, per session': perUnit(reconnect, DEVICES),
      'idle minute': divideWork(idle, minutes),
    },
    mitigations: {
      'single push': scenarios.mitigationsOf('single push', OPERATIONS),
      'push to all, per push': scenarios.mitigationsOf('push to all', 1),
      connect: scenarios.mitigationsOf('connect', OPERATIONS),
      login: scenarios.mitigationsOf('login', LOGINS),
      receipt: scenarios.mitigationsOf('receipt', OPERATIONS),
      'idle minute': scenarios.mitigationsOf('idle', minutes),
    },
  };
}

class Scenarios {
  readonly #service: Service;
  readonly #options: Options;
  /** The last observation of each scenario. */
  readonly #observed = new Map<string, { readonly statements: MitigationStatements; readonly seconds: number }>();

  constructor(service: Service, options: Options) {
    this.#service = service;
    this.#options = options;
  }

  /** Returns the statements of each mitigation per unit, in the last observation of a scenario. */
  mitigationsOf(name: string, units: number): MitigationStatements {
    const [observed, idle] = [this.#observed.get(name), this.#observed.get('idle')];
    if (!observed || !idle) throw new Error(`${name} was not observed.`);
    const idleRatio = observed === idle ? 0 : observed.seconds / idle.seconds;
    return mitigationsPerUnit(observed.statements, idle.statements, { units, idleRatio });
  }

  /** Returns the work of all operations, until all of their tasks are finished. */
  observeOperations(
    name: string,
    everyMs: number,
    operate: (n: number) => Promise<unknown>,
    operations = OPERATIONS,
  ): Promise<Work> {
    return this.#observe(name, async () => {
      const began = performance.now();
      for (let n = 0; n < operations; n++) {
        await sleep(Math.max(began + n * everyMs - performance.now(), 0));
        await operate(n);
      }
      await this.#service.meter.awaitFinishedTasks();
    });
  }

  /** Observes whole periods between two refreshes of the worker's metrics, the longest of the frequent timers. */
  async observeIdle(): Promise<Work> {
    const { meter } = this.#service;
    await meter.awaitStatement(METRICS_QUERY);
    return this.#observe('idle', async () => {
      for (let i = 0; i < METRICS_REFRESHES; i++) await meter.awaitStatement(METRICS_QUERY);
    });
  }

  /**
   * Each phone reports one receipt for a notification over APNs. A PUBACK would be a receipt too, but it cannot be
   * separated from the push that it acknowledges, and `single push` includes it.
   */
  async observeReceipts(phones: readonly Phone[]): Promise<Work> {
    const references = await this.#sendOverApns(phones);
    await using clients = new AsyncDisposableStack();
    const apps = phones.map(({ token }) =>
      clients.use(new ApiClient({ ...this.#service.carillon, adminToken: token })),
    );
    return this.observeOperations('receipt', RECEIPT_MS, async (n) => {
      const app = apps[n] as ApiClient;
      const { received } = await app.post<{ received: number }>('/device/receipt', { list: [references[n]] });
      if (received !== 1) throw new Error(`The receipt of phone ${n} was not recorded.`);
    });
  }

  /**
   * Sends to all devices several times. All devices are connected, because this is the path with the most work. Returns
   * the lowest value of each figure. The worker and the gateway process the slices and receipts that are there at a
   * moment together, and on a busy machine these groups are smaller.
   */
  async observePushesToAll(idle: Work): Promise<Work> {
    const { caller, meter } = this.#service;
    const works: Work[] = [];
    for (let i = 0; i < PUSHES_TO_ALL; i++) {
      const work = await this.#observe('push to all', async () => {
        const setting = { distribution_strategy: 'nativepush_only' };
        await caller.post('/push/notify', { audience: 'all', message: MESSAGE, setting });
        await meter.awaitFinishedTasks();
      });
      works.push(subtractIdle(work, idle));
    }
    const lowest = (figure: keyof Work) => Math.min(...works.map((work) => work[figure]));
    const figures = Object.keys(idle) as (keyof Work)[];
    return Object.fromEntries(figures.map((figure) => [figure, lowest(figure)])) as unknown as Work;
  }

  /** A notification waits in the inboxes of all phones. Some of them connect, one after the other. */
  async observeWaiting(phones: readonly Phone[], connect: (phone: Phone) => Promise<void>): Promise<Work> {
    const { caller, meter } = this.#service;
    const audience = { push_token: phones.map(({ pushToken }) => pushToken) };
    const setting = { distribution_strategy: 'nativepush_only' };
    const body = { audience, message: MESSAGE, setting };
    const { task_id: taskId } = await caller.post<{ task_id: number }>('/push/notify', body);
    await meter.awaitInboxRows(BigInt(taskId), phones.length);
    const work = await this.#observe('waiting', async () => {
      const began = performance.now();
      for (const [i, phone] of phones.slice(0, WAITING_CONNECTS).entries()) {
        await connect(phone);
        await sleep(Math.max(began + (i + 1) * WAITING_MS - performance.now(), 0));
      }
      await meter.awaitInboxRows(BigInt(taskId), phones.length - WAITING_CONNECTS);
    });
    await caller.post('/push/task/cancel', { task_id: taskId });
    await meter.awaitFinishedTasks();
    return work;
  }

  /** PostgreSQL is frozen while all phones are connected. Observes until all processes have recovered. */
  observeReconnect(): Promise<Work> {
    const { stack, meter } = this.#service;
    return this.#observe('reconnect', async () => {
      await stack.freeze('postgres');
      await sleep(FROZEN_MS);
      await stack.thaw('postgres');
      await meter.awaitDatabases();
      for (let i = 0; i < METRICS_REFRESHES; i++) await meter.awaitStatement(METRICS_QUERY);
    });
  }

  /** Sends one notification to each phone. Returns the reference with which the phone reports its receipt. */
  async #sendOverApns(phones: readonly Phone[]): Promise<string[]> {
    const { caller, meter } = this.#service;
    const taskIds: bigint[] = [];
    for (const { pushToken } of phones) {
      const audience = { push_token: [pushToken] };
      const setting = { distribution_strategy: 'ospush_only' };
      const body = { audience, message: MESSAGE, setting };
      taskIds.push(BigInt((await caller.post<{ task_id: number }>('/push/notify', body)).task_id));
    }
    await meter.awaitFinishedTasks();
    const slices = await Promise.all(
      meter.storage.shards.all.map((db) =>
        db.query<{ taskId: bigint; bucket: number; sliceNumber: number }>(
          `select task_id as "taskId", bucket, slice as "sliceNumber" from slices where task_id = any($1::bigint[])`,
          [taskIds],
        ),
      ),
    );
    const references = new Map(slices.flat().map((slice) => [slice.taskId, sliceKeyText(slice)]));
    return taskIds.map((taskId) => references.get(taskId) as string);
  }

  async #observe(name: string, run: () => Promise<void>): Promise<Work> {
    const { say, listStatements } = this.#options;
    const { meter } = this.#service;
    say(name);
    const before = await meter.readStatementCalls();
    const { work } = await meter.observe(run);
    const after = await meter.readStatementCalls();
    this.#observed.set(name, { statements: countMitigations(before, after), seconds: work.seconds });
    if (listStatements) for (const line of formatCalls(before, after)) say(line);
    return work;
  }
}

/** Returns one line per statement, with the most frequent first. */
function formatCalls(before: StatementCalls, after: StatementCalls): string[] {
  return [...after]
    .map(([query, calls]) => ({ query, calls: calls - (before.get(query) ?? 0) }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.calls - a.calls)
    .map(({ query, calls }) => {
      const text = query.replaceAll(/\s+/g, ' ').slice(0, STATEMENT_LENGTH_MAX);
      return `${calls.toString().padStart(8)}  ${text}`;
    });
}
