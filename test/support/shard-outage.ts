import assert from 'node:assert/strict';
import { BUCKETS, bucketOfGuid, bucketOfRequestKey } from '#src/domain/bucket.ts';
import { bucketOfTask } from '#src/domain/task.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { addDevice, addUser } from './add-device.ts';
import { type Carillon, type Login, startCarillon } from './carillon.ts';
import { countWarnings } from './count-warnings.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { TEST_DATABASES } from './databases.ts';
import { connectDevice, connectSilentDevice, type SilentDevice, type TestDevice } from './device.ts';
import { eventually } from './eventually.ts';
import { History } from './history/history.ts';
import { assertHistory } from './history/read-history.ts';

/** Short leases, so that slices still leased after a failed statement are claimed again soon. */
const SETTINGS = { CARILLON_LEASE_SECONDS: '8', CARILLON_VENDOR_DEADLINE_SECONDS: '4' };

const RECOVERY_SECONDS_MAX = 15;
/** Time until all tasks are finished, which includes the leases of claims that a process lost. */
const FINISH_SECONDS_MAX = 60;

export const NATIVE_ONLY = { distribution_strategy: 'nativepush_only' };

/** The two forms of an outage: connections fail immediately, or queries get no response. */
export const outageModes = ['refuse', 'hang'] as const;

export type OutageMode = (typeof outageModes)[number];

/** A database that stays available, or the one that all roles reach through the proxy. */
export type Side = 'available' | 'proxied';

/** The tests need a database of each side besides the home database. */
export const needsTwoShards = { skip: TEST_DATABASES < 3 };

/**
 * Starts an API process, some gateways and a worker that reach the shard database of the last buckets through a proxy.
 * The test reaches all databases directly.
 */
export async function startWithProxiedShard({ gateways = 2 } = {}): Promise<ShardOutage> {
  await using starting = new AsyncDisposableStack();
  const carillon = starting.use(await startCarillon({ apis: 0, gateways: 0, workers: 0, settings: SETTINGS }));
  const url = carillon.shardUrls.at(-1) as string;
  const proxy = starting.use(await DatabaseProxy.start(url));
  const shardDatabases = (carillon.settings.CARILLON_SHARD_DATABASES as string).replace(url, proxy.url);
  const settings = { CARILLON_SHARD_DATABASES: shardDatabases };
  const roles = ['api', 'worker', ...Array.from({ length: gateways }, () => 'gateway' as const)] as const;
  await Promise.all(roles.map((role) => carillon.start(role, settings)));
  starting.move(); // from here on, the outage disposes the parts
  return new ShardOutage(carillon, proxy, settings);
}

/** An installation in which a test can make one of the shard databases unavailable. */
export class ShardOutage implements AsyncDisposable {
  readonly carillon: Carillon;
  readonly proxy: DatabaseProxy;
  /** The settings with which a role reaches the database through the proxy. */
  readonly settings: Readonly<Record<string, string>>;
  readonly history = new History();
  readonly #logins: Login[] = [];
  /** The devices and their vendor tokens that are in the proxied database. */
  readonly #proxiedRecipients = new Set<string>();
  #failed: { mode: OutageMode; start: number } | undefined;
  #guids = 0;
  #requests = 0;

  constructor(carillon: Carillon, proxy: DatabaseProxy, settings: Readonly<Record<string, string>>) {
    this.carillon = carillon;
    this.proxy = proxy;
    this.settings = settings;
  }

  sideOf(bucket: number): Side {
    const { shards } = this.carillon.storage;
    return shards.dbFor(bucket) === shards.dbFor(BUCKETS - 1) ? 'proxied' : 'available';
  }

  newGuid(side: Side): string {
    let guid: string;
    do guid = `phone-${++this.#guids}`;
    while (this.sideOf(bucketOfGuid(this.carillon.appId, guid)) !== side);
    return guid;
  }

  /** Creates a user with one device. */
  async addDevice(side: Side, apnsToken?: string): Promise<{ userId: bigint; login: Login }> {
    const { appId, storage } = this.carillon;
    const userId = await addUser(storage.home, appId);
    const device = { appId, userId, deviceGuid: this.newGuid(side), ...(apnsToken !== undefined && { apnsToken }) };
    const login = await addDevice(storage, device);
    this.#logins.push(login);
    if (side === 'proxied')
      for (const recipient of [device.deviceGuid, apnsToken ?? '']) this.#proxiedRecipients.add(recipient);
    return { userId, login };
  }

  /** Connects a device whose notifications are recorded in the history. */
  connect(gateway: RoleProcess, login: Login): Promise<TestDevice> {
    const onNotification = (taskId: string) => this.history.delivered(login.deviceGuid, taskId);
    return connectDevice(gateway, login, { onNotification });
  }

  /** Connects a silent device whose notifications are recorded in the history. */
  connectSilent(gateway: RoleProcess, login: Login, options: { receiveMaximum?: number } = {}): Promise<SilentDevice> {
    const onNotification = (taskId: string) =>
      this.history.delivered(login.deviceGuid, taskId, { acknowledged: false });
    return connectSilentDevice(gateway, login, { ...options, onNotification });
  }

  /** Sends a notification, and records it in the history. */
  async notify(audience: object, message: object, setting: object = NATIVE_ONLY): Promise<bigint> {
    const start = Date.now();
    const taskId = await this.carillon.notify(audience, message, setting);
    this.history.accepted(taskId, start);
    return taskId;
  }

  /** Sends a notification whose slice is in an available database, and returns the task ID. */
  async notifyFromAvailable(
    audience: Login | { user_id: readonly bigint[] },
    message: string | object,
    setting: object = NATIVE_ONLY,
  ): Promise<bigint> {
    const { appId } = this.carillon;
    let requestId: string;
    // The idempotency key determines the bucket of the task.
    do requestId = `request-${++this.#requests}`;
    while (this.sideOf(bucketOfRequestKey({ appId, author: 'admin', requestId })) !== 'available');
    const taskId = await this.notify(
      'user_id' in audience ? audience : { push_token: [audience.push_token] },
      typeof message === 'string' ? { body: message } : message,
      { ...setting, request_id: requestId },
    );
    assert.equal(this.sideOf(bucketOfTask(taskId)), 'available');
    return taskId;
  }

  /** Cancels a task, and records it in the history. */
  async cancel(taskId: bigint): Promise<void> {
    const start = Date.now();
    await this.carillon.post('/push/task/cancel', { task_id: taskId });
    this.history.cancelled(taskId, start);
  }

  /** Makes the database unavailable. */
  fail(mode: OutageMode): void {
    this.proxy.setMode(mode);
    this.#failed = { mode, start: Date.now() };
  }

  /** Ends the outage, waits until all roles have noticed it, and prints the warnings since the last call. */
  async recover(): Promise<void> {
    this.proxy.setMode('open');
    await this.#waitUntilNoticed();
    if (this.#failed) {
      const { mode, start } = this.#failed;
      this.history.faults.push({
        fault: mode,
        start,
        end: Date.now(),
        affects: (...pair) => this.#isAffected(...pair),
      });
    }
    this.#failed = undefined;
    console.log('  warnings', JSON.stringify(countWarnings(this.carillon)));
    this.carillon.logLines.length = 0;
  }

  /** Connects every device, waits until all tasks are finished, and checks the history. */
  async checkHistory(): Promise<void> {
    const { carillon, history } = this;
    const [gateway] = carillon.gateways.filter(({ isAlive }) => isAlive) as [RoleProcess];
    await using connected = new AsyncDisposableStack();
    for (const login of this.#logins) connected.use(await this.connect(gateway, login));
    await this.waitUntilFinished();
    await assertHistory(carillon, history);
  }

  async waitUntilFinished(): Promise<void> {
    await eventually(async () => {
      const open = await this.carillon.storage.home.query(
        `select from tasks where state <> 'finished' and task_id = any($1)`,
        [this.history.accepts.map(({ taskId }) => taskId)],
      );
      assert.equal(open.length, 0, `${open.length} of ${this.history.accepts.length} tasks are not finished`);
    }, FINISH_SECONDS_MAX);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The roles stop first, because they need the database to stop in time.
    await this.carillon[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }

  #isAffected(taskId: bigint, recipient: string): boolean {
    return this.sideOf(bucketOfTask(taskId)) === 'proxied' || this.#proxiedRecipients.has(recipient);
  }

  /** Waits until no process counts the database as unavailable, and all gateways have written a new heartbeat. */
  async #waitUntilNoticed(): Promise<void> {
    const { apis, gateways, workers, storage } = this.carillon;
    const isAlive = (roleProcess: RoleProcess) => roleProcess.isAlive;
    const db = storage.shards.dbFor(BUCKETS - 1);
    const [clock] = await db.query<{ now: Date }>('select now()');
    await eventually(async () => {
      for (const roleProcess of [...apis, ...gateways, ...workers].filter(isAlive)) {
        const last = this.carillon.linesOf(roleProcess).findLast((line) => /"database-(un)?available"/.test(line));
        assert.ok(!last?.includes('"database-unavailable"'), `a ${roleProcess.role} has not noticed the recovery`);
      }
      const beating = await db.query('select from gateways where heartbeat_at > $1', [clock?.now]);
      assert.ok(beating.length >= gateways.filter(isAlive).length, `${beating.length} gateways wrote a heartbeat`);
    }, RECOVERY_SECONDS_MAX);
  }
}
