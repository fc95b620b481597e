import { setTimeout as sleep } from 'node:timers/promises';
import { seedAdminToken } from '../scripts/dev/seed.ts';
import type { Carillon } from '../test/support/carillon.ts';
import { ApiClient } from './caller.ts';
import { deviceOf, fillDevices, type Traits } from './fill-devices.ts';
import { createManyPartitions } from './partitions.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const DEVICES = 1_000_000;
/** Single pushes per second from each app. */
const SINGLES_PER_SECOND = 20;
const PHASE_SECONDS = 15;
const ROUNDS = 3;
/** Devices of each app that receive single pushes. */
const PHONES = 50;
const SLOWER_MAX = 2;
const RATE_MIN = 0.5;
const ARRIVE_SECONDS_MAX = 20;

/**
 * Measures the latency of single pushes, from the call to the vendor's response, while one app sends to a million
 * devices. Both this app and another one send single pushes. The baseline is the latency without the large task, and
 * the rate of the large task without single pushes.
 */
export const fairness: Bench = async ({ size = DEVICES, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, meter } = await startService(resources, say, { workers: 1 });
  await createManyPartitions(carillon.storage);
  await carillon.addApp('other');
  const other = { ...carillon, appId: 'other', adminToken: await seedAdminToken(carillon.storage.home, 'other') };
  const senders = [carillon, other].map(({ appId, adminToken }) => ({
    appId,
    caller: resources.use(new ApiClient({ apis: carillon.apis, appId, adminToken }, 64)),
  }));
  await fillDevices(carillon, { size, say, traitsOf, gateways: [] });
  await fillDevices(other, { size: PHONES, say, traitsOf, gateways: [] });
  const [large] = senders as [Sender];
  await sendSinglePushes(carillon, senders); // warm-up: compilation is not measured

  const rounds: { quiet: number[]; busy: number[]; alone: number; shared: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await sendSinglePushes(carillon, senders);
    const body = {
      audience: 'all',
      message: { body: 'to everyone' },
      setting: { distribution_strategy: 'ospush_only' },
    };
    const { task_id: taskId } = await large.caller.post<{ task_id: number }>('/push/notify', body);
    await waitUntilSending(carillon);
    const alone = await rateDuring(carillon, () => sleep(PHASE_SECONDS * 1_000));
    let busy: number[] = [];
    const combinedRate = await rateDuring(carillon, async () => {
      busy = await sendSinglePushes(carillon, senders);
    });
    const shared = combinedRate - SINGLES_PER_SECOND * senders.length;
    await large.caller.post('/push/task/cancel', { task_id: taskId });
    await waitUntilFinished(carillon, BigInt(taskId));
    rounds.push({ quiet, busy, alone, shared });
    const formatTimes = (p99: readonly number[]) => p99.map((ms) => `${Math.round(ms)} ms`).join(' and ');
    say(
      `p99 ${formatTimes(quiet)}, then ${formatTimes(busy)}; ${Math.round(alone)}/s alone, ${Math.round(shared)}/s shared`,
    );
  }
  await meter.measure(
    'single',
    () => ({ push: PHASE_SECONDS * SINGLES_PER_SECOND * senders.length }),
    async () => {
      await sendSinglePushes(carillon, senders);
      await meter.awaitFinishedTasks();
    },
  );
  const median = (pick: (round: (typeof rounds)[number]) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number;
  const p99 = senders.map((_, i) => {
    const [ours, bare] = [median(({ busy }) => busy[i] as number), median(({ quiet }) => quiet[i] as number)];
    const name = i === 0 ? 'single, same app' : 'single, other app';
    const reached = ours <= SLOWER_MAX * bare;
    return { name, ours, bare, unit: 'ms p99', goal: `ratio ≤ ${SLOWER_MAX}`, reached };
  });
  const [ours, bare] = [median(({ shared }) => shared), median(({ alone }) => alone)];
  const reached = ours >= RATE_MIN * bare;
  const results = [...p99, { name: 'all', ours, bare, unit: 'devices/s', goal: `ratio ≥ ${RATE_MIN}`, reached }];
  return { results, work: meter.measured };
};

interface Sender {
  readonly appId: string;
  readonly caller: ApiClient;
}

const traitsOf = (): Traits => ({
  vendors: ['apns'],
  latestDomestic: null,
  generation: 1,
  seenDaysAgo: 40,
  gateway: null,
});

/**
 * Sends single pushes from each sender at a steady rate, without waiting for earlier pushes. Returns the p99 of each
 * sender in milliseconds.
 */
async function sendSinglePushes(carillon: Carillon, senders: readonly Sender[]): Promise<number[]> {
  const calls: Promise<{ sender: number; token: string; taskId: string; beganAt: number }>[] = [];
  const count = PHASE_SECONDS * SINGLES_PER_SECOND;
  const began = performance.now();
  for (let i = 0; i < count; i++) {
    for (const [sender, { appId, caller }] of senders.entries()) {
      const { pushToken, guid } = deviceOf(appId, (i % PHONES) + 1, traitsOf());
      const body = {
        audience: { push_token: [pushToken] },
        message: { body: 'to one' },
        setting: { distribution_strategy: 'ospush_only' },
      };
      const beganAt = Date.now();
      const call = caller.post<{ task_id: number }>('/push/notify', body);
      calls.push(call.then(({ task_id }) => ({ sender, token: `live-${guid}`, taskId: `${task_id}`, beganAt })));
    }
    await sleep(began + ((i + 1) * 1_000) / SINGLES_PER_SECOND - performance.now());
  }
  const sentPushes = await Promise.all(calls);
  const arrivedAt = await waitForArrivals(carillon, sentPushes);
  return senders.map((_, sender) => {
    const ownPushes = sentPushes.filter((sentPush) => sentPush.sender === sender);
    const times = ownPushes
      .map(({ taskId, beganAt }) => (arrivedAt.get(taskId) as number) - beganAt)
      .sort((a, b) => a - b);
    return times[Math.floor(times.length * 0.99)] as number;
  });
}

/** Returns the time at which the vendor responded to each task. The simulator responds immediately. */
async function waitForArrivals(
  { apns }: Carillon,
  sentPushes: readonly { readonly token: string; readonly taskId: string }[],
): Promise<ReadonlyMap<string, number>> {
  const deadline = performance.now() + ARRIVE_SECONDS_MAX * 1_000;
  const wanted = new Set(sentPushes.map(({ taskId }) => taskId));
  const arrivedAt = new Map<string, number>();
  while (arrivedAt.size < wanted.size) {
    if (performance.now() > deadline)
      throw new Error(`The vendor did not receive ${wanted.size - arrivedAt.size} single pushes in time.`);
    for (const token of new Set(
      sentPushes.filter(({ taskId }) => !arrivedAt.has(taskId)).map((sentPush) => sentPush.token),
    )) {
      const response = await fetch(`${apns.facts.control_url}/arrived?token=${token}`);
      const { arrived } = (await response.json()) as { arrived: { collapse_id: string; at: number }[] };
      for (const { collapse_id: taskId, at } of arrived)
        if (wanted.has(taskId) && !arrivedAt.has(taskId)) arrivedAt.set(taskId, at);
    }
  }
  return arrivedAt;
}

async function countAccepted({ apns }: Carillon): Promise<number> {
  const response = await fetch(`${apns.facts.control_url}/counts`);
  const counts = (await response.json()) as { production: { requests: Record<string, number> } };
  return counts.production.requests['200'] ?? 0;
}

/** Returns how many notifications per second the vendor accepted while `work` ran. */
async function rateDuring(carillon: Carillon, work: () => Promise<void>): Promise<number> {
  const [before, began] = [await countAccepted(carillon), performance.now()];
  await work();
  return (((await countAccepted(carillon)) - before) * 1_000) / (performance.now() - began);
}

async function waitUntilSending(carillon: Carillon): Promise<void> {
  const before = await countAccepted(carillon);
  for (let i = 0; i < 200; i++) {
    if ((await countAccepted(carillon)) > before + 2_000) return;
    await sleep(100);
  }
  throw new Error('The large task did not start sending in time.');
}

/** Waits until a cancelled task is finished, because the next measurement must start without remaining work. */
async function waitUntilFinished({ storage }: Carillon, taskId: bigint): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const [task] = await storage.home.query<{ state: string }>('select state from tasks where task_id = $1', [taskId]);
    if (task?.state === 'finished') return;
    await sleep(100);
  }
  throw new Error('The cancelled task did not finish in time.');
}
