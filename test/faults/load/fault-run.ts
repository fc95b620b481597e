import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringifyJson } from '#src/foundation/json.ts';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../../scripts/dev/seed.ts';
import { addDevice, addUser } from '../../support/add-device.ts';
import type { CallOptions, Carillon } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { type Fleet, insertFleet } from '../../support/fleet.ts';
import { History } from '../../support/history/history.ts';
import { assertHistory, startReadingCounts } from '../../support/history/read-history.ts';
import { checkLaws } from '../../support/laws.ts';
import { recount } from './recount.ts';
import { appendReport, type Report, reportText } from './report.ts';
import { runSize } from './run-size.ts';
import { UnconfirmedSends } from './unconfirmed-sends.ts';

/**
 * An accepted task and its audience: everyone, one connected phone, one phone with an APNs token, or many phones with
 * APNs tokens whose task is cancelled immediately.
 */
export interface AcceptedTask {
  readonly taskId: bigint;
  readonly to: 'everyone' | 'connected' | 'apple' | 'cancelled';
}

/** Number of injected faults by name. A run with too few injected faults fails. */
export type Faults = Readonly<Record<string, number>>;

/** Maximum time for which a failed call is retried. It is longer than any outage in these tests. */
const ACCEPT_SECONDS_MAX = 120;
const RETRY_MS = 50;
/** Number of concurrent senders of single notifications. Each pauses after a call. */
const SENDERS = 4;
const SINGLE_EVERY_MS = 40;
const CANCEL_EVERY_MS = 1_000;
const CANCELLED_DEVICES = 500;
const BACKLOG_MS = 200;
const PROGRESS_MS = 5_000;
const RETRY_NOW_EVERY_MS = 2_000;
/** Minimum number of places in flight when a fault is injected. */
const SENDING_PLACES_MIN = 100;
const SENDING_SECONDS_MAX = 60;
const CONNECTING_AT_ONCE = 10;

/** A separate app under load: phones with APNs tokens, connected phones, and all tasks that were accepted for them. */
export class FaultRun implements AsyncDisposable {
  readonly accepted: AcceptedTask[] = [];
  readonly history = new History();
  readonly unconfirmed: UnconfirmedSends;
  readonly fleet: Fleet;
  readonly phones: readonly TestDevice[];
  readonly #carillon: Carillon;
  readonly #callOptions: CallOptions;
  readonly #pushTokens: readonly string[];
  readonly #appId: string;
  #repeatedCalls = 0;
  #requests = 0;

  constructor(options: {
    carillon: Carillon;
    appId: string;
    callOptions: CallOptions;
    fleet: Fleet;
    phones: readonly TestDevice[];
    pushTokens: readonly string[];
  }) {
    this.fleet = options.fleet;
    this.phones = options.phones;
    this.#carillon = options.carillon;
    this.#callOptions = options.callOptions;
    this.#pushTokens = options.pushTokens;
    this.#appId = options.appId;
    this.unconfirmed = new UnconfirmedSends(options.carillon.storage, options.appId);
  }

  /**
   * Sends to everyone repeatedly, and to single devices continuously, while the faults happen. Then waits until no task
   * is open, and compares every counter with the notifications that were received.
   */
  async runScenario(scenario: string, injectFaults: () => Promise<Faults>): Promise<Report> {
    const { workers, storage } = this.#carillon;
    await this.unconfirmed.recordUnclearOutcomes(workers, 'start');
    const began = performance.now();
    const progress = this.#logProgress(scenario);
    const over = new AbortController();
    const reading = startReadingCounts(this.#carillon, this.history, this.#callOptions);
    const load = Promise.all([
      this.#sendToEveryone(over.signal),
      ...this.#sendSingles(over.signal),
      this.#cancelSome(over.signal),
    ]);
    let faults: Faults;
    try {
      faults = await this.history.during(scenario, injectFaults);
    } finally {
      over.abort();
      await load.finally(() => clearInterval(progress));
    }
    const loadSeconds = (performance.now() - began) / 1_000;
    const drainSeconds = await this.#drain();
    await this.unconfirmed.recordUnclearOutcomes(workers);
    await reading.stop();
    const recounted = await recount(this.#carillon, this, this.#callOptions);
    this.history.vendorCallsInDoubt = await this.unconfirmed.repeatsMax();
    const report: Report = {
      scenario,
      devices: this.fleet.size,
      connected: this.phones.length,
      tasks: this.accepted.length,
      faults,
      repeatedCalls: this.#repeatedCalls,
      ...recounted,
      repeatsMax: this.history.vendorCallsInDoubt,
      loadSeconds,
      drainSeconds,
    };
    appendReport(report);
    console.log(`${scenario}: ${reportText(report)}`);
    assert.deepEqual([report.lost, report.countedTwice, report.open], [0, 0, 0], recounted.findings.join('\n'));
    assert.deepEqual(recounted.findings, []);
    await assertHistory(this.#carillon, this.history, this.#callOptions);
    assert.ok(
      this.phones.every(({ closes }) => closes === 0),
      'no phone lost its connection',
    );
    await checkLaws(storage);
    return report;
  }

  /** Waits until bulk notifications are being sent to Apple, so that a fault interrupts work in progress. */
  async waitUntilSending(): Promise<void> {
    await eventually(async () => {
      const places = await this.unconfirmed.countPlaces(['bulk']);
      assert.ok(places >= SENDING_PLACES_MIN, `Apple is called for ${places} places`);
    }, SENDING_SECONDS_MAX);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.phones.map((phone) => phone[Symbol.asyncDispose]()));
  }

  async #sendToEveryone(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.#notify('all', 'everyone');
      await pause(runSize.everyoneEveryMs, over);
      // Wait while there is a backlog. A fault must interrupt running work, and tasks that no worker has started would
      // only accumulate.
      while (!over.aborted && (await this.#hasBacklog().catch(() => true))) await pause(BACKLOG_MS, over);
    }
  }

  async #hasBacklog(): Promise<boolean> {
    const rows = await Promise.all(
      this.#carillon.storage.shards.all.map((db) =>
        db.query<{ backlog: boolean }>(
          `select exists (select from expansions where app_id = $1 and state <> 'done')
               or exists (select from slices where app_id = $1 and state <> 'closed' and attempts = 0) as backlog`,
          [this.#appId],
        ),
      ),
    );
    return rows.flat().some(({ backlog }) => backlog);
  }

  #sendSingles(over: AbortSignal): Promise<void>[] {
    let next = 0;
    return Array.from({ length: SENDERS }, async () => {
      while (!over.aborted) {
        const i = next++;
        const [tokens, to] =
          i % 2 === 0 ? ([this.#pushTokens, 'connected'] as const) : ([this.fleet.livePushTokens, 'apple'] as const);
        await this.#notify({ push_token: [tokens[(i * 7) % tokens.length]] }, to);
        await pause(SINGLE_EVERY_MS, over);
      }
    });
  }

  /** Cancels tasks while they are being sent. */
  async #cancelSome(over: AbortSignal): Promise<void> {
    for (let i = 0; !over.aborted; i++) {
      const first = (i * CANCELLED_DEVICES) % this.fleet.livePushTokens.length;
      const audience = { push_token: this.fleet.livePushTokens.slice(first, first + CANCELLED_DEVICES) };
      const taskId = await this.#notify(audience, 'cancelled');
      const { start } = await this.#call('/push/task/cancel', { task_id: taskId });
      this.history.cancelled(taskId, start);
      await pause(CANCEL_EVERY_MS, over);
    }
  }

  /** Sends one notification with a unique request id. */
  async #notify(audience: object | 'all', to: AcceptedTask['to']): Promise<bigint> {
    const requestId = `request-${++this.#requests}`;
    const body = { audience, message: { body: requestId }, setting: { request_id: requestId } };
    const { data, start } = await this.#call<{ task_id: number }>('/push/notify', body);
    const taskId = BigInt(data.task_id);
    this.accepted.push({ taskId, to });
    this.history.accepted(taskId, start);
    return taskId;
  }

  /** Calls the API, and retries until the call succeeds. Returns the response and the start of the successful call. */
  async #call<T>(path: string, body: object): Promise<{ data: T; start: number }> {
    const deadline = performance.now() + ACCEPT_SECONDS_MAX * 1_000;
    while (performance.now() < deadline) {
      const start = Date.now();
      const response = await this.#carillon.tryPost<T>(path, body, this.#callOptions).catch(() => undefined);
      if (response?.code === 200) return { data: response.data, start };
      assert.ok(response === undefined || response.code === 50003, `${response?.code} ${response?.message}`);
      this.#repeatedCalls++;
      await sleep(RETRY_MS);
    }
    throw new Error(`${path} did not succeed within ${ACCEPT_SECONDS_MAX} s: ${stringifyJson(body)}`);
  }

  /**
   * Ends the throttle, and waits until every task is finished or the time limit is reached. Returns the duration in
   * seconds.
   */
  async #drain(): Promise<number> {
    const began = performance.now();
    await this.fleet.endThrottle();
    let hurriedAt = performance.now();
    while (performance.now() - began < runSize.drainSecondsMax * 1_000) {
      if ((await this.#unfinished()) === 0) break;
      // Calls that were in flight when the throttle ended may have been throttled again, so their retries are made due
      // repeatedly.
      if (performance.now() - hurriedAt > RETRY_NOW_EVERY_MS) {
        await this.fleet.retryNow();
        hurriedAt = performance.now();
      }
      await sleep(RETRY_MS);
    }
    return (performance.now() - began) / 1_000;
  }

  async #unfinished(): Promise<number> {
    const [row] = await this.#carillon.storage.home.query<{ open: bigint }>(
      `select count(*) as open from tasks where app_id = $1 and state <> 'finished'`,
      [this.#appId],
    );
    return Number(row?.open);
  }

  /** Logs the progress of a full run, which takes minutes. */
  #logProgress(scenario: string): NodeJS.Timeout {
    const began = performance.now();
    return setInterval(() => {
      if (runSize.name === 'short') return;
      const seconds = Math.round((performance.now() - began) / 1_000);
      console.log(`${scenario}: ${seconds} s, ${this.accepted.length} accepted, ${this.#repeatedCalls} calls repeated`);
    }, PROGRESS_MS);
  }
}

let lastRun = 0;

/** Creates an app with its phones, ready for load. */
export async function prepareFaultRun(carillon: Carillon): Promise<FaultRun> {
  const { storage } = carillon;
  const appId = `load-${++lastRun}`;
  await carillon.addApp(appId);
  const callOptions = { token: await seedAdminToken(storage.home, appId), headers: { app_id: appId } };
  const fleet = await insertFleet(storage, appId, runSize.devices);
  const phones: TestDevice[] = [];
  const pushTokens: string[] = [];
  for (let i = 0; i < runSize.connected; i += CONNECTING_AT_ONCE) {
    const connecting = Array.from({ length: Math.min(CONNECTING_AT_ONCE, runSize.connected - i) }, async (_, j) => {
      const userId = await addUser(storage.home, appId);
      const login = await addDevice(storage, { appId, userId, deviceGuid: `connected-${i + j}` });
      const gateway = carillon.gateways[(i + j) % carillon.gateways.length] as RoleProcess;
      phones.push(await connectDevice(gateway, login));
      pushTokens.push(login.push_token);
    });
    await Promise.all(connecting);
  }
  const run = new FaultRun({ carillon, appId, callOptions, fleet, phones, pushTokens });
  for (const [i, phone] of phones.entries()) run.history.watch(`phone ${i}`, phone);
  return run;
}

/** Waits until the time has passed or the load ends. */
function pause(ms: number, over: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: over }).catch(() => undefined);
}
