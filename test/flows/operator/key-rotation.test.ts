import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { newMasterKeys } from '../../../scripts/stack/master-keys.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { runBin } from '../../support/run-command.ts';

type Keys = ReturnType<typeof newMasterKeys>;

/** Returns settings with both keys of each purpose. The first key seals. */
const inOrder = (first: Keys, second: Keys) =>
  Object.fromEntries(Object.entries(first).map(([name, key]) => [name, `${key} ${second[name as keyof Keys]}`]));

/** More rows than one page of the command, so that it runs for a while. */
const APPS = 250;

describe('master key rotation while the service runs', () => {
  test('logins, reads of secrets and notifications succeed throughout, and the old key is no longer needed at the end', async () => {
    const [older, newer] = [newMasterKeys('older'), newMasterKeys('newer')];
    await using carillon = await startCarillon({
      apis: 1,
      gateways: 0,
      workers: 1,
      settings: {
        ...inOrder(older, newer),
        CARILLON_SECRET_READS_PER_MINUTE: '1000000',
      },
    });
    for (let i = 0; i < APPS; i++) await carillon.addApp(`app-${i}`);
    await using load = new Load(carillon, await preparePhone(carillon));

    // Every process must have the new key before any process seals with it.
    await replaceProcesses(carillon, load, inOrder(newer, older));
    const rotated = await runBin('rotate-keys', [], {
      ...carillon.settings,
      ...inOrder(newer, older),
    });
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.match(rotated.stdout, /^(All values for \w+ are sealed under newer\.\n){3}The other keys/);
    assert.match(rotated.stderr, new RegExp(`${APPS + 1} values checked`));
    await replaceProcesses(carillon, load, newer);
    await load.count(50);
    await load.stop();

    assert.deepEqual(load.failures, []);
    const api = carillon.apis.find(({ isAlive }) => isAlive) as RoleProcess;
    for (const taskId of load.taskIds)
      await eventually(async () => assert.deepEqual(await carillon.counters(taskId, { api }), { apns: [1, 1, 0] }));
    assert.deepEqual(carillon.errorLines, []);

    const again = await runBin('rotate-keys', [], { ...carillon.settings, ...newer });
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, / 0 sealed again/);
    assert.doesNotMatch(again.stderr, / [1-9]\d* sealed again/);
  });

  test('reports the location of a value that no key opens, and seals all others', async () => {
    const [older, newer] = [newMasterKeys('older'), newMasterKeys('newer')];
    await using carillon = await startCarillon({
      apis: 0,
      gateways: 0,
      workers: 0,
      settings: older,
    });
    await carillon.storage.home.query(
      `update certificates set app_secret = '\\x00' where channel = 'apns' and environment = 0`,
    );
    const settings = { ...carillon.settings, ...inOrder(newer, older) };
    const { code, stderr } = await runBin('rotate-keys', [], settings);
    assert.equal(code, 1);
    assert.match(stderr, /1 sealed values could not be opened/);
    assert.match(stderr, /\["certificates","bells","apns",0,"app_secret"\]/);
    assert.doesNotMatch(stderr, /\n\s+at /, 'the error has no stack trace');

    const api = await carillon.start('api', newer);
    const { userId } = await carillon.createUser('ada');
    const minted = await carillon.tryPost('/admin/user/token', { user_id: userId }, { api });
    assert.equal(minted.code, 200, 'the key of the app is sealed under the new key');
  });
});

/** Creates a user with a phone that can be reached only through APNs. */
async function preparePhone(carillon: Carillon): Promise<bigint> {
  const user = await carillon.createUser('ada');
  const login = await carillon.logIn(user, 'phone');
  await carillon.post('/device/bind', { provider: 1, token: 'live-1' }, { token: login.token });
  return user.userId;
}

/** Replaces the processes of one role at a time. A new process is started before the old ones are stopped. */
async function replaceProcesses(
  carillon: Carillon,
  load: Load,
  masterKeys: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [role, processes] of [
    ['worker', carillon.workers],
    ['api', carillon.apis],
  ] as const) {
    const old = processes.filter(({ isAlive }) => isAlive);
    await carillon.start(role, masterKeys);
    await load.leave(old);
    for (const process of old) assert.equal(await process.stop(), 0);
  }
}

/**
 * Makes calls that open sealed values, without a pause, and records every failure. It is disposed of when the test
 * fails: without a live API process, its loop would never yield to the event loop.
 */
class Load implements AsyncDisposable {
  readonly failures: string[] = [];
  readonly taskIds: bigint[] = [];
  readonly #carillon: Carillon;
  readonly #userId: bigint;
  #left: readonly RoleProcess[] = [];
  #calls = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(carillon: Carillon, userId: bigint) {
    this.#carillon = carillon;
    this.#userId = userId;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Stops sending to these processes, and waits until their running calls have ended. */
  async leave(processes: readonly RoleProcess[]): Promise<void> {
    this.#left = processes;
    await this.count(10);
  }

  /** Waits until this number of further calls has been made. */
  async count(calls: number): Promise<void> {
    const goal = this.#calls + calls;
    await eventually(() => assert.ok(this.#calls >= goal), 60);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const api = this.#carillon.apis.find((one) => one.isAlive && !this.#left.includes(one)) as RoleProcess;
      await Promise.all([this.#logIn(api), this.#readSecret(api), this.#notify(api)]).catch((error: Error) =>
        this.failures.push(String(error.cause ?? error)),
      );
      this.#calls++;
    }
  }

  async #logIn(api: RoleProcess): Promise<void> {
    await this.#carillon.post('/admin/user/token', { user_id: this.#userId }, { api });
  }

  async #readSecret(api: RoleProcess): Promise<void> {
    const { appId, adminToken, apns } = this.#carillon;
    const response = await fetch(`${api.apiUrl}/push/certificate?provider=1`, {
      headers: { app_id: appId, 'access-token': adminToken },
    });
    const { code, data } = (await response.json()) as { code: number; data: { certificate: string } };
    if (code !== 200 || data.certificate !== apns.facts.p8) throw new Error(`reading a secret returned ${code}`);
  }

  async #notify(api: RoleProcess): Promise<void> {
    this.taskIds.push(await this.#carillon.notify({ user_id: [this.#userId] }, { body: 'x' }, {}, { api }));
  }
}
