import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readApnsTally } from '../../support/apns-tally.ts';
import type { Carillon } from '../../support/carillon.ts';
import { createSwarm, type DeviceSwarm, type SwarmMember } from '../../support/device-swarm.ts';
import { eventually } from '../../support/eventually.ts';
import { History } from '../../support/history/history.ts';
import { assertHistory, startReadingCounts } from '../../support/history/read-history.ts';
import { checkLaws } from '../../support/laws.ts';

const PAUSE_MS = 40;
const POLL_MS = 200;
const COUNTERS_AT_ONCE = 500;
const FINISH_SECONDS_MAX = 60;

interface SentNotification {
  readonly taskId: bigint;
  readonly member: SwarmMember;
  readonly acceptedAt: number;
  /** Time at which the notification reached the device or Apple. */
  reachedAt: number | undefined;
}

/** A swarm in which every second phone has an APNs token. All phones are continuously sent single notifications. */
export class SwarmRun implements Disposable {
  readonly swarm: DeviceSwarm;
  readonly sent: SentNotification[] = [];
  readonly history: History;
  readonly #carillon: Carillon;
  readonly #number: number;
  readonly #over = new AbortController();
  readonly #seen = new AbortController();
  #sending: Promise<void> | undefined;
  #polling: Promise<void> | undefined;
  #readingCounts: { stop(): Promise<void> } | undefined;

  constructor(carillon: Carillon, swarm: DeviceSwarm, history: History, number: number) {
    this.#carillon = carillon;
    this.#number = number;
    this.swarm = swarm;
    this.history = history;
  }

  start(): void {
    this.#readingCounts = startReadingCounts(this.#carillon, this.history);
    this.#sending = this.#send();
    this.#polling = this.#pollArrivals();
  }

  /** Ends the stream, and waits until every notification has reached its device or Apple. Returns a summary. */
  async finish(secondsMax: number): Promise<{ text: string; slowestFallback: number }> {
    const began = performance.now();
    this.#over.abort();
    await this.#sending;
    await eventually(() => {
      const missing = this.sent.filter(({ reachedAt }) => reachedAt === undefined);
      assert.equal(missing.length, 0, `${missing.length} of ${this.sent.length} notifications were not received`);
    }, secondsMax);
    this.#seen.abort();
    await this.#polling;
    await this.#countsAreExact();
    await this.#readingCounts?.stop();
    await this.#waitUntilFinished();
    await assertHistory(this.#carillon, this.history);
    await checkLaws(this.#carillon.storage);
    const seconds = (notifications: readonly SentNotification[]) =>
      Math.max(...notifications.map(({ acceptedAt, reachedAt }) => ((reachedAt as number) - acceptedAt) / 1_000));
    const withApns = this.sent.filter(({ member }) => member.apnsToken !== undefined);
    const slowestFallback = seconds(withApns);
    const others = this.sent.filter(({ member }) => member.apnsToken === undefined);
    const text = [
      `${this.swarm.members.length} sessions, ${this.sent.length} notifications, lost 0`,
      `slowest with a vendor ${slowestFallback.toFixed(1)} s, without ${seconds(others).toFixed(1)} s`,
      `drained in ${((performance.now() - began) / 1_000).toFixed(1)} s`,
    ].join('; ');
    return { text, slowestFallback };
  }

  [Symbol.dispose](): void {
    this.#over.abort();
    this.#seen.abort();
    void this.#readingCounts?.stop();
    this.swarm[Symbol.dispose]();
  }

  async #send(): Promise<void> {
    const { members } = this.swarm;
    for (let i = 0; !this.#over.signal.aborted; i++) {
      const member = members[(i * 7) % members.length] as SwarmMember;
      const taskId = await this.#accepted(member, `swarm-${this.#number}-${i}`);
      if (taskId !== undefined) this.sent.push({ taskId, member, acceptedAt: performance.now(), reachedAt: undefined });
      await sleep(PAUSE_MS, undefined, { signal: this.#over.signal }).catch(() => undefined);
    }
  }

  /** Retries a failed call until it succeeds. Returns undefined if the run ends first. */
  async #accepted({ userId }: SwarmMember, requestId: string): Promise<bigint | undefined> {
    const body = { audience: { user_id: [userId] }, message: { body: requestId }, setting: { request_id: requestId } };
    while (!this.#over.signal.aborted) {
      const start = Date.now();
      const answer = await this.#carillon.tryPost<{ task_id: number }>('/push/notify', body).catch(() => undefined);
      if (answer?.code === 200) {
        const taskId = BigInt(answer.data.task_id);
        this.history.accepted(taskId, start);
        return taskId;
      }
      await sleep(POLL_MS);
    }
    return undefined;
  }

  async #waitUntilFinished(): Promise<void> {
    await eventually(async () => {
      const open = await this.#carillon.storage.home.query(
        `select from tasks where state <> 'finished' and task_id = any($1)`,
        [this.history.accepts.map(({ taskId }) => taskId)],
      );
      assert.equal(open.length, 0, `${open.length} tasks are not finished`);
    }, FINISH_SECONDS_MAX);
  }

  async #pollArrivals(): Promise<void> {
    while (!this.#seen.signal.aborted) {
      const open = this.sent.filter(({ reachedAt }) => reachedAt === undefined);
      const atApple = await readApnsTally(this.#carillon);
      const now = performance.now();
      for (const notification of open)
        if (notification.member.taskIds.includes(notification.taskId.toString()) || atApple.has(notification.taskId))
          notification.reachedAt = now;
      await sleep(POLL_MS);
    }
  }

  /**
   * Checks that no counter exceeds the actual number, and that devices without an APNs token are counted exactly once.
   */
  async #countsAreExact(): Promise<void> {
    await eventually(async () => {
      // Read on every attempt, because Apple can receive a notification some seconds later if its receipt was lost with
      // a gateway.
      const atApple = await readApnsTally(this.#carillon);
      for (let i = 0; i < this.sent.length; i += COUNTERS_AT_ONCE) {
        const batch = this.sent.slice(i, i + COUNTERS_AT_ONCE);
        const list = batch.map(({ taskId }) => taskId);
        const { data } = await this.#carillon.post<Record<string, number>[]>('/push/task/detail', { list });
        const byTask = new Map(data.map((record) => [BigInt(record.task_id as number), record]));
        for (const { taskId, member } of batch) {
          const { nativepush_sent, nativepush_received, apns_sent } = byTask.get(taskId) as Record<string, number>;
          const [onPhone, tokens] = [member.taskIds.includes(taskId.toString()), atApple.get(taskId)?.size ?? 0];
          if (member.apnsToken === undefined)
            assert.deepEqual([nativepush_sent, nativepush_received, apns_sent], [1, 1, 0], `counters of ${taskId}`);
          assert.equal(apns_sent, tokens, `Apple received ${taskId} for ${tokens} tokens`);
          assert.ok((nativepush_received as number) <= Number(onPhone), `${taskId} is counted, but was not received`);
          assert.ok((nativepush_sent as number) <= 1);
        }
      }
    }, 30);
  }
}

let lastRun = 0;

/** Creates a swarm and connects it to the running gateways. */
export async function prepareSwarm(carillon: Carillon, size: number): Promise<SwarmRun> {
  const run = ++lastRun;
  const apnsTokenOf = (i: number) => (i % 2 === 0 ? `live-${run}-${i}` : undefined);
  const history = new History();
  const onNotification = (i: number, taskId: string) => history.delivered(`phone ${i}`, taskId);
  const swarm = await createSwarm(carillon, size, { apnsTokenOf, onNotification });
  await swarm.connectAll();
  return new SwarmRun(carillon, swarm, history, run);
}
