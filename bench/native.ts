import { setTimeout as sleep } from 'node:timers/promises';
import { nativePayload } from '#src/domain/message.ts';
import type { Caller } from './caller.ts';
import { makeManyDays } from './partitions.ts';
import { startBareGateway } from './phones/bare-gateway-process.ts';
import { makePhones, Phones } from './phones/phones.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const SESSIONS = 15_000;
const PASSES = 4;
const POLL_MS = 20;
const SECONDS_MAX = 60;
const RATIO_GOAL = 0.7;
const MESSAGE = { title: 'Your order', body: 'It is on its way and arrives this afternoon.' };

/**
 * A notification to everyone on the own channel, to live sessions at two gateways: devices a second, from the call until
 * each of them has acknowledged it, and until the statistics have counted them all. Bare: two loops that write the same
 * bytes to as many sockets and read what comes back.
 */
export const native: Bench = async ({ size = SESSIONS, say }) => {
  await using parts = new AsyncDisposableStack();
  const { carillon, caller } = await startService(parts, say, { gateways: 2, workers: 1 });
  await makeManyDays(carillon.truth);
  const all = await makePhones(carillon, size, say);
  const bareGateways = [parts.use(await startBareGateway()), parts.use(await startBareGateway())];
  const phones = parts.use(new Phones());
  await phones.connect(
    all,
    carillon.gateways.map(({ ports }) => ports.gateway as number),
  );
  const barePhones = parts.use(new Phones());
  await barePhones.connect(
    all,
    bareGateways.map(({ port }) => port),
  );
  say(`${size} sessions, twice`);

  const passes: { ours: number; counted: number; bare: number }[] = [];
  for (let i = 0; i < PASSES; i++) {
    const took = await oneToAll(caller, phones, size);
    const [ours, counted] = [size / took.acknowledged, size / took.counted];
    const began = performance.now();
    const payload = nativePayload(4_503_599_627_370_497n, JSON.stringify(MESSAGE));
    await Promise.all(bareGateways.map((gateway) => gateway.order({ kind: 'publish', payload })));
    const bare = (size * 1_000) / (performance.now() - began);
    passes.push({ ours, counted, bare });
    say(`ours ${Math.round(ours)}, counted ${Math.round(counted)}, bare ${Math.round(bare)} devices/s`);
  }
  const median = (pick: (pass: (typeof passes)[number]) => number) =>
    passes
      .slice(1)
      .map(pick)
      .sort((a, b) => a - b)[Math.floor((PASSES - 1) / 2)] as number;
  const [ours, bare] = [median((pass) => pass.ours), median((pass) => pass.bare)];
  const reached = ours / bare >= RATIO_GOAL;
  const more = { counted: median((pass) => pass.counted) };
  return [{ what: 'all', ours, bare, unit: 'devices/s', goal: `ratio ≥ ${RATIO_GOAL}`, reached, more }];
};

/** Seconds from the call until all have acknowledged it, and until all are counted. */
async function oneToAll(
  caller: Caller,
  phones: Phones,
  size: number,
): Promise<{ acknowledged: number; counted: number }> {
  const before = await phones.acknowledged();
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const { task_id } = await caller.post<{ task_id: number }>('/push/notify', {
    audience: 'all',
    message: MESSAGE,
    setting: { distribution_strategy: 'nativepush_only' },
  });
  await until(async () => (await phones.acknowledged()) === before + size);
  const acknowledged = seconds();
  await until(async () => {
    const [counts] = await caller.post<Record<string, number>[]>('/push/task/detail', { list: [task_id] });
    return counts?.nativepush_received === size;
  });
  return { acknowledged, counted: seconds() };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < (SECONDS_MAX * 1_000) / POLL_MS; i++) {
    if (await isSo()) return;
    await sleep(POLL_MS);
  }
  throw new Error('Not everybody received it.');
}
