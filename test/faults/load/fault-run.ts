import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleProcess } from '../../../scripts/dev/role-process.ts';
import { seedAdminToken } from '../../../scripts/dev/seed.ts';
import { addPhone, addUser } from '../../support/add-device.ts';
import type { CallOptions, Carillon } from '../../support/carillon.ts';
import { connectDevice, type TestDevice } from '../../support/device.ts';
import { eventually } from '../../support/eventually.ts';
import { type Fleet, fillFleet } from '../../support/fleet.ts';
import { checkLaws } from '../../support/laws.ts';
import { recount } from './recount.ts';
import { keepReport, type Report, reportText } from './report.ts';
import { form } from './run-size.ts';
import { Doubt } from './unconfirmed-sends.ts';

/** A task that was accepted, and whom it is for: everyone, one phone that is connected, or one that Apple knows. */
export interface AcceptedTask {
  readonly taskId: bigint;
  readonly to: 'everyone' | 'connected' | 'apple';
}

/** What was really injected, by name. A run that injected too little fails by itself. */
export type Faults = Readonly<Record<string, number>>;

/** A call is repeated for so long: longer than any outage here. */
const ACCEPT_SECONDS_MAX = 120;
const AGAIN_MS = 50;
/** Single notifications are sent by so many at a time, each after a pause. */
const SENDERS = 4;
const SINGLE_EVERY_MS = 40;
const BACKLOG_MS = 200;
const PROGRESS_MS = 5_000;
const HURRY_MS = 2_000;
/** So much is under way when a fault happens. */
const SENDING_PLACES_MIN = 100;
const SENDING_SECONDS_MAX = 60;
const CONNECTING_AT_ONCE = 10;

/** An app of its own under load: phones that Apple knows, phones that are connected, and everything that was accepted for them. */
export class FaultRun implements AsyncDisposable {
  readonly accepted: AcceptedTask[] = [];
  readonly doubt: Doubt;
  readonly fleet: Fleet;
  readonly phones: readonly TestDevice[];
  readonly #carillon: Carillon;
  readonly #as: CallOptions;
  readonly #pushTokens: readonly string[];
  readonly #appId: string;
  #repeatedCalls = 0;
  #requests = 0;

  constructor(options: {
    carillon: Carillon;
    appId: string;
    as: CallOptions;
    fleet: Fleet;
    phones: readonly TestDevice[];
    pushTokens: readonly string[];
  }) {
    this.fleet = options.fleet;
    this.phones = options.phones;
    this.#carillon = options.carillon;
    this.#as = options.as;
    this.#pushTokens = options.pushTokens;
    this.#appId = options.appId;
    this.doubt = new Doubt(options.carillon.truth, options.appId);
  }

  /**
   * Sends to everyone again and again and to single devices all the time while the faults happen, waits until nothing is
   * open any more, and holds every counter against what really arrived.
   */
  async under(scenario: string, injectFaults: () => Promise<Faults>): Promise<Report> {
    const { workers, truth } = this.#carillon;
    await this.doubt.noteUnclear(workers, 'start');
    const began = performance.now();
    const progress = this.#tellProgress(scenario);
    const over = new AbortController();
    const load = Promise.all([this.#sendToEveryone(over.signal), ...this.#sendSingles(over.signal)]);
    let faults: Faults;
    try {
      faults = await injectFaults();
    } finally {
      over.abort();
      await load.finally(() => clearInterval(progress));
    }
    const loadSeconds = (performance.now() - began) / 1_000;
    const drainSeconds = await this.#drain();
    await this.doubt.noteUnclear(workers);
    const counted = await recount(this.#carillon, this, this.#as);
    const report: Report = {
      scenario,
      devices: this.fleet.size,
      connected: this.phones.length,
      tasks: this.accepted.length,
      faults,
      repeatedCalls: this.#repeatedCalls,
      ...counted,
      repeatsMax: await this.doubt.repeatsMax(),
      loadSeconds,
      drainSeconds,
    };
    keepReport(report);
    console.log(`${scenario}: ${reportText(report)}`);
    assert.deepEqual([report.lost, report.countedTwice, report.open], [0, 0, 0], counted.findings.join('\n'));
    assert.deepEqual(counted.findings, []);
    assert.ok(
      report.repeats <= report.repeatsMax,
      `${report.repeats} were sent again, not ${report.repeatsMax} at most`,
    );
    assert.ok(
      this.phones.every(({ closes }) => closes === 0),
      'no phone lost its connection',
    );
    await checkLaws(truth);
    return report;
  }

  /** Resolves when Apple is being called for what is meant for everyone, so that a fault finds something to disturb. */
  async sending(): Promise<void> {
    await eventually(async () => {
      const places = await this.doubt.placesInDoubt(['bulk']);
      assert.ok(places >= SENDING_PLACES_MIN, `Apple is called for ${places} places`);
    }, SENDING_SECONDS_MAX);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.phones.map((phone) => phone[Symbol.asyncDispose]()));
  }

  async #sendToEveryone(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.#notify('all', 'everyone');
      await pause(form.everyoneEveryMs, over);
      // What nobody has begun with would only gather: a fault shall meet work, and not a mountain of it.
      while (!over.aborted && (await this.#hasBacklog().catch(() => true))) await pause(BACKLOG_MS, over);
    }
  }

  async #hasBacklog(): Promise<boolean> {
    const rows = await Promise.all(
      this.#carillon.truth.shards.all.map((db) =>
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

  /** One notification with a request id of its own; a call that fails is made again until it is answered. */
  async #notify(audience: object | 'all', to: AcceptedTask['to']): Promise<void> {
    const requestId = `request-${++this.#requests}`;
    const body = { audience, message: { body: requestId }, setting: { request_id: requestId } };
    const deadline = performance.now() + ACCEPT_SECONDS_MAX * 1_000;
    while (performance.now() < deadline) {
      const answer = await this.#carillon
        .tryPost<{ task_id: number }>('/push/notify', body, this.#as)
        .catch(() => undefined);
      if (answer?.code === 200) {
        this.accepted.push({ taskId: BigInt(answer.data.task_id), to });
        return;
      }
      assert.ok(answer === undefined || answer.code === 50003, `${answer?.code} ${answer?.message}`);
      this.#repeatedCalls++;
      await sleep(AGAIN_MS);
    }
    throw new Error(`${requestId} was not accepted in ${ACCEPT_SECONDS_MAX} s.`);
  }

  /** Ends the throttle and waits until every task is finished, or the time is over. Answers how long it took. */
  async #drain(): Promise<number> {
    const began = performance.now();
    await this.fleet.endThrottle();
    let hurriedAt = performance.now();
    while (performance.now() - began < form.drainSecondsMax * 1_000) {
      if ((await this.#unfinished()) === 0) break;
      // Whoever was being called when the throttle ended heard of it once more.
      if (performance.now() - hurriedAt > HURRY_MS) {
        await this.fleet.hurry();
        hurriedAt = performance.now();
      }
      await sleep(AGAIN_MS);
    }
    return (performance.now() - began) / 1_000;
  }

  async #unfinished(): Promise<number> {
    const [row] = await this.#carillon.truth.home.query<{ open: bigint }>(
      `select count(*) as open from tasks where app_id = $1 and state <> 'finished'`,
      [this.#appId],
    );
    return Number(row?.open);
  }

  /** A full run takes minutes, and whoever waits for it sees that it moves. */
  #tellProgress(scenario: string): NodeJS.Timeout {
    const began = performance.now();
    return setInterval(() => {
      if (form.name === 'short') return;
      const seconds = Math.round((performance.now() - began) / 1_000);
      console.log(`${scenario}: ${seconds} s, ${this.accepted.length} accepted, ${this.#repeatedCalls} calls repeated`);
    }, PROGRESS_MS);
  }
}

let runs = 0;

/** A new app with its phones, ready to be put under load. */
export async function prepareRun(carillon: Carillon): Promise<FaultRun> {
  const { truth } = carillon;
  const appId = `load-${++runs}`;
  await carillon.addApp(appId);
  const as = { token: await seedAdminToken(truth.home, appId), headers: { app_id: appId } };
  const fleet = await fillFleet(truth, appId, form.devices);
  const phones: TestDevice[] = [];
  const pushTokens: string[] = [];
  for (let i = 0; i < form.connected; i += CONNECTING_AT_ONCE) {
    const some = Array.from({ length: Math.min(CONNECTING_AT_ONCE, form.connected - i) }, async (_, j) => {
      const userId = await addUser(truth.home, appId);
      const login = await addPhone(truth, { appId, userId, deviceGuid: `connected-${i + j}` });
      const gateway = carillon.gateways[(i + j) % carillon.gateways.length] as RoleProcess;
      phones.push(await connectDevice(gateway, login));
      pushTokens.push(login.push_token);
    });
    await Promise.all(some);
  }
  return new FaultRun({ carillon, appId, as, fleet, phones, pushTokens });
}

/** Sleeps until the time is over or the load is. */
function pause(ms: number, over: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: over }).catch(() => undefined);
}
