import { setTimeout as sleep } from 'node:timers/promises';
import type { Carillon } from '../test/support/carillon.ts';
import { OperatorBrowser, seedOperator, signedIn } from '../test/support/operator.ts';
import { ApiClient } from './caller.ts';
import { cpuSecondsOf } from './cpu-seconds.ts';
import { measureCallsToPhones } from './latency.ts';
import { createManyPartitions } from './partitions.ts';
import { createPhones, Phones } from './phones/phones.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const CONSOLES = 50;
/** One console in five shows a task that is being sent. The others show the overview. */
const TASK_PAGE_EVERY = 5;
const PHONES = 1_000;
const CALLS_PER_SECOND = 100;
const SECONDS = 30;
const CPU_GOAL = 0.25;
const OPERATOR = 'bench@example.com';

/** The calls of a page, each with its interval in seconds, as in console/src/pages. */
type PageCalls = readonly (readonly [seconds: number, path: string, body: object])[];

/**
 * Measures the CPU time of the API with 50 open consoles, while a backend sends 100 notifications per second. The
 * baseline is the same load without consoles.
 */
export const consoles: Bench = async ({ size = CONSOLES, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, meter } = await startService(resources, say, { gateways: 1, workers: 1 });
  await createManyPartitions(carillon.storage);
  const credentials = await createPhones(carillon, PHONES, say);
  const caller = resources.use(new ApiClient(carillon, 64));
  const phones = resources.use(new Phones());
  await phones.connect(credentials, [carillon.gateways[0]?.ports.gateway as number]);
  const pid = carillon.apis[0]?.pid as number;

  const measure = async () => {
    const [cpu, began] = [await cpuSecondsOf(pid), performance.now()];
    const rate = { perSecond: CALLS_PER_SECOND, seconds: SECONDS };
    const { p50, p99 } = await measureCallsToPhones(caller, phones, credentials, rate);
    const cores = ((await cpuSecondsOf(pid)) - cpu) / ((performance.now() - began) / 1_000);
    return { cores, p50, p99 };
  };
  await measure(); // a warm-up
  const without = await measure();
  say(`without consoles: ${without.cores.toFixed(3)} cores, p99 ${without.p99.toFixed(1)} ms`);
  const open = await openConsoles(carillon, size);
  const withConsoles = await meter.measure('consoles', () => ({ second: SECONDS }), measure);
  const requests = await open.close();
  say(`with ${size} consoles: ${withConsoles.cores.toFixed(3)} cores, p99 ${withConsoles.p99.toFixed(1)} ms`);
  const result = {
    name: `${size} consoles`,
    ours: withConsoles.cores,
    bare: without.cores,
    unit: 'cores',
    goal: `< ${CPU_GOAL} cores more`,
    reached: withConsoles.cores - without.cores < CPU_GOAL,
    extras: { 'p99 ms': withConsoles.p99, 'p99 ms without': without.p99, 'requests/s': requests / SECONDS },
  };
  return { results: [result], work: meter.measured };
};

/** Opens consoles that call the API as their pages do, until they are closed. */
async function openConsoles(carillon: Carillon, count: number): Promise<{ close: () => Promise<number> }> {
  const { home } = carillon.storage;
  await seedOperator(home, OPERATOR, { isPlatform: true });
  const apiUrl = `http://127.0.0.1:${carillon.apis[0]?.ports.api}`;
  const { cookie, csrfToken } = await signedIn(apiUrl, OPERATOR);
  const [task] = await home.query<{ taskId: bigint }>('select task_id as "taskId" from tasks limit 1');
  const { taskId } = task as { taskId: bigint };
  const closing = new AbortController();
  let requests = 0;
  const poll = async (browser: OperatorBrowser, [seconds, path, body]: PageCalls[number]) => {
    const { signal } = closing;
    for (let delayMs = Math.random() * seconds * 1_000; !signal.aborted; delayMs = seconds * 1_000) {
      const isOpen = await sleep(delayMs, true, { signal }).catch(() => false);
      if (!isOpen) return;
      const { code, message } = await browser.post(path, body, { app_id: carillon.appId });
      if (code !== 200) throw new Error(`${path} answered ${code}: ${message}`);
      requests++;
    }
  };
  const polls = Array.from({ length: count }, (_, i) => {
    const browser = Object.assign(new OperatorBrowser(apiUrl), { cookie, csrfToken });
    const calls = i % TASK_PAGE_EVERY === 0 ? taskPage(taskId) : overviewPage();
    return calls.map((call) => poll(browser, call));
  }).flat();
  return {
    close: async () => {
      closing.abort();
      await Promise.all(polls);
      return requests;
    },
  };
}

const overviewPage = (): PageCalls => [
  [10, '/admin/channel/list', {}],
  [10, '/admin/app/get', {}],
  [10, '/push/task/list', { limit: 5, counts: true }],
  [60, '/push/statistics/daily', { from: dayOf(13), to: dayOf(0) }],
];

const taskPage = (taskId: bigint): PageCalls => [
  [1, '/push/task/list', { after: taskId + 1n, limit: 1 }],
  [1, '/push/task/detail', { list: [taskId] }],
  [5, '/push/task/report', { task_id: taskId }],
];

const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
