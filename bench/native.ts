import { setTimeout as sleep } from 'node:timers/promises';
import { nativePayload } from '#src/domain/message.ts';
import type { ApiClient } from './caller.ts';
import { createManyPartitions } from './partitions.ts';
import { startBareGateway } from './phones/bare-gateway-process.ts';
import { createPhones, Phones } from './phones/phones.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const SESSIONS = 15_000;
const PASSES = 4;
const POLL_MS = 20;
const SECONDS_MAX = 60;
const RATIO_GOAL = 0.7;
const MESSAGE = { title: 'Your order', body: 'It is on its way and arrives this afternoon.' };
const NOTIFICATION = { audience: 'all', message: MESSAGE, setting: { distribution_strategy: 'nativepush_only' } };

/**
 * Measures a notification to all devices on the Carillon channel, with live sessions at two gateways. The results are
 * devices per second, from the call until all have acknowledged, and until the statistics have counted them. The
 * baseline is two loops that write the same bytes to the same number of sockets and read the acknowledgements.
 */
export const native: Bench = async ({ size = SESSIONS, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, caller, meter } = await startService(resources, say, { gateways: 2, workers: 1 });
  await createManyPartitions(carillon.storage);
  const phoneCredentials = await createPhones(carillon, size, say);
  const bareGateways = [resources.use(await startBareGateway()), resources.use(await startBareGateway())];
  const phones = resources.use(new Phones());
  await phones.connect(
    phoneCredentials,
    carillon.gateways.map(({ ports }) => ports.gateway as number),
  );
  const barePhones = resources.use(new Phones());
  await barePhones.connect(
    phoneCredentials,
    bareGateways.map(({ port }) => port),
  );
  say(`${size} sessions with Carillon and the same number with the baseline`);

  const passes: { ours: number; counted: number; bare: number }[] = [];
  for (let i = 0; i < PASSES; i++) {
    const durations = await notifyAll(caller, phones, size);
    const [ours, counted] = [size / durations.acknowledged, size / durations.counted];
    const began = performance.now();
    const payload = nativePayload(
      { taskId: 4_503_599_627_370_497n, bucket: 0, sliceNumber: 0 },
      JSON.stringify(MESSAGE),
    );
    await Promise.all(bareGateways.map((gateway) => gateway.execute({ kind: 'publish', payload })));
    const bare = (size * 1_000) / (performance.now() - began);
    passes.push({ ours, counted, bare });
    say(`ours ${Math.round(ours)}, counted ${Math.round(counted)}, bare ${Math.round(bare)} devices/s`);
  }
  await meter.measure(
    'all',
    () => ({ push: 1, device: size }),
    async () => {
      await caller.post('/push/notify', NOTIFICATION);
      await meter.awaitFinishedTasks();
    },
  );
  const median = (pick: (pass: (typeof passes)[number]) => number) =>
    passes
      .slice(1)
      .map(pick)
      .sort((a, b) => a - b)[Math.floor((PASSES - 1) / 2)] as number;
  const [ours, bare] = [median((pass) => pass.ours), median((pass) => pass.bare)];
  const reached = ours / bare >= RATIO_GOAL;
  const extras = { counted: median((pass) => pass.counted) };
  const results = [{ name: 'all', ours, bare, unit: 'devices/s', goal: `ratio ≥ ${RATIO_GOAL}`, reached, extras }];
  return { results, work: meter.measured };
};

/** Returns the seconds from the call until all devices have acknowledged, and until all are counted. */
async function notifyAll(
  caller: ApiClient,
  phones: Phones,
  size: number,
): Promise<{ acknowledged: number; counted: number }> {
  const before = await phones.acknowledged();
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const { task_id } = await caller.post<{ task_id: number }>('/push/notify', NOTIFICATION);
  await waitUntil(async () => (await phones.acknowledged()) === before + size);
  const acknowledged = seconds();
  await waitUntil(async () => {
    const [counts] = await caller.post<Record<string, number>[]>('/push/task/detail', { list: [task_id] });
    return counts?.nativepush_received === size;
  });
  return { acknowledged, counted: seconds() };
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < (SECONDS_MAX * 1_000) / POLL_MS; i++) {
    if (await condition()) return;
    await sleep(POLL_MS);
  }
  throw new Error('Some devices did not acknowledge or were not counted in time.');
}
