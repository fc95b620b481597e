import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { Pool } from 'pg';
import { nativePayload } from '#src/domain/message.ts';
import { ApiClient } from './caller.ts';
import { createManyPartitions } from './partitions.ts';
import { startBareGateway } from './phones/bare-gateway-process.ts';
import { createPhones, type Phone, Phones } from './phones/phones.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const PHONES = 1_000;
const CALLS_PER_SECOND = 200;
const SECONDS = 15;
const PASSES = 3;
const P50_RATIO_GOAL = 3;
const P99_GOAL_MS = 50;
const MESSAGE = { title: 'Your order', body: 'It is on its way and arrives this afternoon.' };

/**
 * Measures the latency of a single notification on the Carillon channel, from the call to the phone's acknowledgement.
 * The baseline is one commit, one NATS round trip, and one write to a socket with its acknowledgement.
 */
export const latency: Bench = async ({ size = SECONDS, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, meter } = await startService(resources, say, { gateways: 1, workers: 1 });
  await createManyPartitions(carillon.storage);
  const phoneCredentials = await createPhones(carillon, PHONES, say);
  const caller = resources.use(new ApiClient(carillon, 64));
  const phones = resources.use(new Phones());
  await phones.connect(phoneCredentials, [carillon.gateways[0]?.ports.gateway as number]);
  const bare = await startBare(carillon.settings, resources, phoneCredentials);

  const passes: { ours: Percentiles; bare: Percentiles }[] = [];
  for (let i = 0; i <= PASSES; i++) {
    passes.push({
      ours: await measureCallsToPhones(caller, phones, phoneCredentials, {
        perSecond: CALLS_PER_SECOND,
        seconds: size,
      }),
      bare: await bare(size),
    });
    const formatTimes = ({ p50, p99 }: Percentiles) => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
    say(`ours ${formatTimes(passes[i]?.ours as Percentiles)}; bare ${formatTimes(passes[i]?.bare as Percentiles)}`);
  }
  await meter.measure(
    'single',
    () => ({ push: CALLS_PER_SECOND * size }),
    async () => {
      const rate = { perSecond: CALLS_PER_SECOND, seconds: size };
      await measureCallsToPhones(caller, phones, phoneCredentials, rate);
      await meter.awaitFinishedTasks();
    },
  );
  const median = (pick: (pass: (typeof passes)[number]) => number) =>
    passes
      .slice(1) // the first pass is a warm-up
      .map(pick)
      .sort((a, b) => a - b)[Math.floor(PASSES / 2)] as number;
  const [p50, bareP50] = [median((pass) => pass.ours.p50), median((pass) => pass.bare.p50)];
  const [p99, bareP99] = [median((pass) => pass.ours.p99), median((pass) => pass.bare.p99)];
  const p50Goal = `ratio ≤ ${P50_RATIO_GOAL}`;
  const results = [
    { name: 'p50', ours: p50, bare: bareP50, unit: 'ms', goal: p50Goal, reached: p50 <= P50_RATIO_GOAL * bareP50 },
    { name: 'p99', ours: p99, bare: bareP99, unit: 'ms', goal: `< ${P99_GOAL_MS} ms`, reached: p99 < P99_GOAL_MS },
  ];
  return { results, work: meter.measured };
};

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export function percentilesOf(times: number[]): Percentiles {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] as number;
  return { p50: at(0.5), p99: at(0.99) };
}

const nowMs = () => performance.timeOrigin + performance.now();

/** Starts `work` at a steady rate, without waiting for earlier calls. */
export async function runAtRate<T>(perSecond: number, seconds: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: Promise<T>[] = [];
  const began = performance.now();
  for (let i = 0; i < perSecond * seconds; i++) {
    const waitMs = began + (i * 1_000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    results.push(work(i));
  }
  return Promise.all(results);
}

/**
 * Sends single notifications to one phone after another at a steady rate. Measures the time from the call to the
 * acknowledgement.
 */
export async function measureCallsToPhones(
  caller: ApiClient,
  phones: Phones,
  all: readonly Phone[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Percentiles> {
  await phones.startRecording();
  const calls = await runAtRate(perSecond, seconds, async (n) => {
    const beganAt = nowMs();
    const { task_id } = await caller.post<{ task_id: number }>(
      '/push/notify',
      singleNotificationTo(all[n % all.length] as Phone),
    );
    return { taskId: `${task_id}`, beganAt };
  });
  const instants = await phones.acknowledgementTimes(calls.map(({ taskId }) => taskId));
  return percentilesOf(calls.map(({ taskId, beganAt }) => (instants.get(taskId) as number) - beganAt));
}

export const singleNotificationTo = ({ pushToken }: Phone) => ({
  audience: { push_token: [pushToken] },
  message: MESSAGE,
  setting: { distribution_strategy: 'nativepush_only' },
});

/** Starts the baseline with the same PostgreSQL and NATS servers. */
async function startBare(
  settings: Readonly<Record<string, string>>,
  parts: AsyncDisposableStack,
  all: readonly Phone[],
): Promise<(seconds: number) => Promise<Percentiles>> {
  const gateway = parts.use(await startBareGateway());
  const phones = parts.use(new Phones());
  await phones.connect(all, [gateway.port]);
  const natsUrls = (settings.CARILLON_NATS_URLS as string).split(',');
  await gateway.execute({ kind: 'serve', natsUrls, subject: 'bare' });
  const nats = await connect({ servers: natsUrls });
  parts.defer(() => nats.close());
  const pool = new Pool({ connectionString: settings.CARILLON_DATABASE_URL, max: 8 });
  parts.defer(() => pool.end());
  await pool.query('create table bare (id bigint generated always as identity primary key, body text not null)');
  const payload = nativePayload({ taskId: 4_503_599_627_370_497n, bucket: 0, sliceNumber: 0 }, JSON.stringify(MESSAGE));
  return async (seconds) =>
    percentilesOf(
      await runAtRate(CALLS_PER_SECOND, seconds, async () => {
        const beganAt = performance.now();
        await pool.query('insert into bare (body) values ($1)', [payload]);
        await nats.request('bare', payload, { timeout: 5_000 });
        return performance.now() - beganAt;
      }),
    );
}
