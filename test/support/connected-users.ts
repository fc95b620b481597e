import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import type { Carillon, Login, TestUser } from './carillon.ts';
import { connectDevice, type TestDevice } from './device.ts';
import { eventually } from './eventually.ts';

const CONNECT_ATTEMPTS_MAX = 10;

/** Users with connected devices, spread over the gateways, and the tasks that were sent to them. */
export class ConnectedUsers implements AsyncDisposable {
  readonly users: readonly TestUser[];
  readonly devices: readonly TestDevice[];
  /** Ids of accepted tasks, each with the index of its user. */
  readonly accepted: { taskId: bigint; user: number }[] = [];
  /** Number of calls that failed and were repeated with the same request id. */
  retries = 0;
  readonly #carillon: Carillon;

  constructor(carillon: Carillon, users: readonly TestUser[], devices: readonly TestDevice[]) {
    this.#carillon = carillon;
    this.users = users;
    this.devices = devices;
  }

  /** Sends `count` notifications, `parallel` at a time. A call that fails is repeated until it is accepted. */
  async notifyInTurn(count: number, prefix: string, parallel = 8): Promise<void> {
    let next = 0;
    const sender = async () => {
      while (next < count) {
        const i = next++;
        const user = i % this.users.length;
        this.accepted.push({ taskId: await this.#notify(user, `${prefix}-${i}`), user });
      }
    };
    await Promise.all(Array.from({ length: parallel }, sender));
  }

  /** Waits until every accepted notification has reached its device and every counter is exact. */
  async waitUntilDelivered(secondsMax: number): Promise<void> {
    await eventually(() => {
      const missing = this.accepted.filter(
        ({ taskId, user }) => !this.devices[user]?.taskIds.includes(taskId.toString()),
      );
      assert.equal(missing.length, 0, `${missing.length} of ${this.accepted.length} notifications were not received`);
    }, secondsMax);
    await eventually(async () => {
      for (let i = 0; i < this.accepted.length; i += 500) {
        const list = this.accepted.slice(i, i + 500).map(({ taskId }) => taskId);
        const { data } = await this.#carillon.post<Record<string, number>[]>('/push/task/detail', { list });
        assert.equal(data.length, list.length);
        for (const { task_id, ...counters } of data) {
          const nonZeroCounters = Object.entries(counters).filter(([, count]) => count !== 0);
          assert.deepEqual(
            Object.fromEntries(nonZeroCounters),
            { nativepush_sent: 1, nativepush_received: 1, nativepush_target: 1 },
            `counters of ${task_id}`,
          );
        }
      }
    }, 15);
    for (const [i, device] of this.devices.entries()) {
      const ownTaskIds = new Set(this.accepted.filter(({ user }) => user === i).map(({ taskId }) => taskId.toString()));
      assert.ok(
        device.taskIds.every((taskId) => ownTaskIds.has(taskId)),
        'only recipients receive a notification',
      );
    }
  }

  /** Waits until every accepted task is finished. */
  async waitUntilFinished(secondsMax: number): Promise<void> {
    await eventually(async () => {
      const open = await this.#carillon.storage.home.query(
        `select task_id, state from tasks where state <> 'finished' and task_id = any($1)`,
        [this.accepted.map(({ taskId }) => taskId)],
      );
      assert.deepEqual(open, []);
    }, secondsMax);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.devices.map((device) => device[Symbol.asyncDispose]()));
  }

  async #notify(user: number, requestId: string): Promise<bigint> {
    const body = {
      audience: { user_id: [this.users[user]?.userId] },
      message: { body: requestId },
      setting: { request_id: requestId },
    };
    for (let tries = 0; tries < 600; tries++) {
      const answer = await this.#carillon.tryPost<{ task_id: number }>('/push/notify', body).catch(() => undefined);
      if (answer?.code === 200) return BigInt(answer.data.task_id);
      this.retries++;
      await sleep(50);
    }
    throw new Error(`Request ${requestId} was not accepted within 30 seconds.`);
  }
}

export async function connectUsers(carillon: Carillon, size: number): Promise<ConnectedUsers> {
  const users: TestUser[] = [];
  const devices: TestDevice[] = [];
  for (let i = 0; i < size; i++) {
    const user = await carillon.createUser(`crowd-${i}`);
    const login = await carillon.logIn(user, `crowd-phone-${i}`);
    users.push(user);
    const gateway = carillon.gateways[i % carillon.gateways.length] as RoleProcess;
    devices.push(await connectWithRetries(gateway, login));
  }
  return new ConnectedUsers(carillon, users, devices);
}

/** Connects like a phone, which tries again if a busy server refuses it. */
async function connectWithRetries(gateway: RoleProcess, login: Login): Promise<TestDevice> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectDevice(gateway, login);
    } catch (error) {
      if (attempt === CONNECT_ATTEMPTS_MAX) throw error;
      await sleep(500);
    }
  }
}
