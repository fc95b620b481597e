import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeStatus } from '#src/domain/slice.ts';
import type { TrippedBreaker } from '#src/domain/vendor-account/breaker.ts';
import { findTrippedBreakers } from '#src/storage/accounts/breakers.ts';
import { type Carillon, startCarillon } from '../../support/carillon.ts';
import { eventually } from '../../support/eventually.ts';
import { type Fleet, insertFleet } from '../../support/fleet.ts';
import { checkLaws } from '../../support/laws.ts';
import { slicesOf, waitUntilFinished } from '../../support/ledger.ts';

const PHONES = 300;
const PROBE_SECONDS = 2;
/** Long enough for several probes to overlap, if more than one were sent at a time. */
const WATCH_MS = 5_000;
/**
 * Maximum number of calls before the breaker is open. Two workers may each have a round in each of their four slots
 * when the breaker trips.
 */
const CALLS_UNTIL_OPEN_MAX = 2 * 4 * 64;

interface Channel {
  readonly provider: number;
  readonly environment: number;
  readonly open: boolean;
  readonly probe_at: number | null;
  readonly last_response: { readonly at: number; readonly result: string; readonly reason: string } | null;
}

describe('circuit breaker of a vendor account', () => {
  let carillon: Carillon;
  let fleet: Fleet;

  before(async () => {
    carillon = await startCarillon({
      gateways: 0,
      workers: 2,
      settings: {
        CARILLON_BREAKER_PROBE_SECONDS: `${PROBE_SECONDS}`,
        CARILLON_LEASE_SECONDS: '7',
        CARILLON_VENDOR_DEADLINE_SECONDS: '3',
      },
    });
    fleet = await insertFleet(carillon.storage, carillon.appId, PHONES + 50);
  });
  after(() => carillon[Symbol.asyncDispose]());

  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${carillon.apns.facts.control_url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return response;
  };
  const requests = async (answer: string): Promise<number> => {
    const counts = (await (await control('GET', '/counts')).json()) as {
      production: { requests: Record<string, number> };
    };
    return counts.production.requests[answer] ?? 0;
  };
  const notify = (count = PHONES) =>
    carillon.notify(
      { push_token: fleet.livePushTokens.slice(0, count) },
      { body: 'hello' },
      { distribution_strategy: 'ospush_only' },
    );
  const breaker = async (): Promise<TrippedBreaker | undefined> =>
    (await findTrippedBreakers(carillon.storage.home, carillon.appId))[0];
  const isOpen = () => eventually(async () => assert.ok(await breaker()));

  for (const { fault, answer, why } of [
    { fault: 'wrong-credentials', answer: '403 InvalidProviderToken', why: 'locked-out' },
    { fault: 'outage', answer: '503 ServiceUnavailable', why: 'unreachable' },
  ])
    test(`${fault}: sends one probe at a time until one succeeds, and then sends everything`, async () => {
      const complaints = carillon.logLines.length;
      const before = await requests(answer);
      await control('POST', '/faults', { kind: fault, duration_ms: 60_000 });
      const tasks = [await notify(), await notify(), await notify()];
      await isOpen();
      assert.equal((await breaker())?.cause, why);
      await sleep(1_500); // long enough for calls in flight to return and for every worker to read the breaker state
      const closed = await requests(answer);
      assert.ok(closed - before <= CALLS_UNTIL_OPEN_MAX, `${closed - before} calls before the breaker tripped`);

      await sleep(WATCH_MS);
      const probes = (await requests(answer)) - closed;
      assert.ok(probes >= 1 && probes <= 1 + WATCH_MS / 1_000 / PROBE_SECONDS, `${probes} probes`);
      for (const taskId of tasks) {
        const [slice] = await slicesOf(carillon.storage, taskId);
        assert.ok((slice?.attempts ?? 0) < 10, 'a slice of a paused channel is not tried');
      }

      await control('DELETE', '/faults');
      for (const taskId of tasks) {
        await waitUntilFinished(carillon.storage, taskId, 40);
        assert.deepEqual(await carillon.counters(taskId), { apns: [PHONES, PHONES, 0] });
      }
      assert.equal(await breaker(), undefined);
      const openedLines = carillon.logLines.slice(complaints).filter((line) => line.includes('"breaker-tripped"'));
      assert.equal(openedLines.length, 1, 'the tripped breaker is logged once');
      await checkLaws(carillon.storage);
    });

  test('credentials that are saved again are tried immediately', async () => {
    await control('POST', '/faults', { kind: 'wrong-credentials', duration_ms: 60_000 });
    const heldTaskId = await notify();
    await isOpen();
    // Prevents further probes, and ends the fault once no probe is in flight. Only the new credentials can then reset
    // the breaker.
    await carillon.storage.home.query(`update breakers set probe_at = now() + interval '1 hour'`);
    await eventually(async () => {
      const [slice] = await slicesOf(carillon.storage, heldTaskId);
      assert.equal(slice?.state, 'ready');
    });
    await control('DELETE', '/faults');
    assert.ok(await breaker(), 'the breaker stays tripped until the credentials are saved');
    await carillon.saveApnsCertificate(carillon.appId);
    await sleep(3_500); // Workers cache credentials for three seconds.
    const taskId = await notify(5);
    await waitUntilFinished(carillon.storage, taskId, 5);
    assert.deepEqual(await carillon.counters(taskId), { apns: [5, 5, 0] });
    assert.equal(await breaker(), undefined, 'the breaker is reset for all workers');
    await waitUntilFinished(carillon.storage, heldTaskId, 30);
  });

  test('a resumed channel is paused again if the vendor still rejects it, and otherwise sends all notifications immediately', async () => {
    const resume = async () => (await carillon.post('/admin/channel/resume', { provider: 1 })).data;
    const channel = async () =>
      (await carillon.post<Channel[]>('/admin/channel/list', {})).data.find(
        ({ provider, environment }) => provider === 1 && environment === 1,
      ) as Channel;
    const holdBack = async () => {
      await carillon.storage.home.query(`update breakers set probe_at = now() + interval '1 hour'`);
      await eventually(async () => assert.equal((await slicesOf(carillon.storage, heldTaskId))[0]?.state, 'ready'));
    };
    await control('POST', '/faults', { kind: 'wrong-credentials', duration_ms: 60_000 });
    const heldTaskId = await notify();
    await isOpen();
    await holdBack();
    const before = await requests('403 InvalidProviderToken');
    assert.deepEqual(await resume(), { resumed: true });
    await isOpen();
    assert.ok((await requests('403 InvalidProviderToken')) > before, 'the vendor was called');

    await holdBack();
    const paused = await channel();
    assert.ok(Number(paused.probe_at) > Date.now() + 3_000_000, 'the time of the next probe is shown');
    assert.equal(paused.last_response?.result, 'locked-out');
    assert.match(paused.last_response.reason, /^InvalidProviderToken/);
    await control('DELETE', '/faults');
    for (const db of carillon.storage.shards.all)
      await db.query(`update slices set next_at = now() + interval '1 hour' where state = 'ready'`);
    assert.deepEqual(await resume(), { resumed: true });
    const taskId = await notify(5);
    await waitUntilFinished(carillon.storage, taskId, 5);
    await waitUntilFinished(carillon.storage, heldTaskId, 10);
    const { open, probe_at, last_response } = await channel();
    assert.deepEqual([open, probe_at, last_response?.result, last_response?.reason], [true, null, 'accepted', '']);
    assert.ok(Date.now() - Number(last_response?.at) < 60_000);
    assert.deepEqual(await carillon.counters(heldTaskId), { apns: [PHONES, PHONES, 0] });
    assert.equal(await breaker(), undefined);
    assert.deepEqual(await resume(), { resumed: false });
    await checkLaws(carillon.storage);
  });

  test('a crash leaves at most one round of calls per slice unconfirmed', async () => {
    await control('POST', '/faults', { kind: 'stall', duration_ms: 60_000 });
    const taskId = await notify();
    const attempting = async () =>
      (await slicesOf(carillon.storage, taskId)).flatMap(({ status }) =>
        [...status].filter((place) => place === placeStatus.attempting),
      ).length;
    await eventually(async () => assert.equal(await attempting(), 64));
    for (const worker of carillon.workers) await worker.kill();
    assert.equal(await attempting(), 64);
    await control('DELETE', '/faults');
    await carillon.start('worker');
    await waitUntilFinished(carillon.storage, taskId, 60);
    assert.deepEqual(await carillon.counters(taskId), { apns: [PHONES, PHONES, 0] });
    await checkLaws(carillon.storage);
  });
});
