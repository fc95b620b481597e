import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pushTokenOf } from '#src/domain/device.ts';
import { childArguments } from '../scripts/stack/child-arguments.ts';
import type { Carillon } from '../test/support/carillon.ts';
import { type LoadResult, load } from './http-load.ts';
import { createManyPartitions } from './partitions.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const CONNECTIONS = 64;
const SECONDS = 6;
const PASSES = 5;
const RATIO_GOAL = 0.7;
const P99_GOAL_MS = 50;

/**
 * Measures how many notify calls per second are durably accepted, each with one device and its own idempotency key. The
 * baseline (`bare`) uses the same framework and the same batched insert, without schema validation, authentication or
 * limits. `echo` measures HTTP alone.
 */
export const accept: Bench = async ({ size = SECONDS, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, meter } = await startService(resources, say);
  await createManyPartitions(carillon.storage);
  const barePort = await startBare(carillon, resources);
  const passes: { ours: LoadResult; bare: LoadResult; echo: LoadResult }[] = [];
  for (let i = 0; i < PASSES; i++) {
    const run = (name: string, port: number, path: string) =>
      load({
        port,
        path,
        headers: { app_id: carillon.appId, 'access-token': carillon.adminToken },
        connections: CONNECTIONS,
        seconds: size,
        bodyOf: (n) => notifyBody(`${name}-${i}-${n}`),
      });
    const loadOurs = () => run('ours', carillon.apis[0]?.ports.api as number, '/push/notify');
    const isLast = i === PASSES - 1;
    const ours = await (isLast ? meter.measure('notify', ({ calls }) => ({ push: calls }), loadOurs) : loadOurs());
    const bare = await run('bare', barePort, '/push/notify');
    const echo = await run('echo', barePort, '/echo');
    passes.push({ ours, bare, echo });
    const summaries = [ours, bare, echo].map(
      ({ perSecond, p99 }) => `${Math.round(perSecond)}/s p99 ${p99.toFixed(1)} ms`,
    );
    say(`ours ${summaries[0]}, bare ${summaries[1]}, echo ${summaries[2]}`);
  }
  const measured = passes.slice(1); // the first pass is a warm-up
  const median = (pick: (pass: (typeof passes)[number]) => number) =>
    measured.map(pick).sort((a, b) => a - b)[Math.floor(measured.length / 2)] as number;
  const ours = median((pass) => pass.ours.perSecond);
  const bare = median((pass) => pass.bare.perSecond);
  const p99 = median((pass) => pass.ours.p99);
  const extras = {
    'p50 ms': median((pass) => pass.ours.p50),
    'p99 ms': p99,
    'bare p99 ms': median((pass) => pass.bare.p99),
    'echo/s': median((pass) => pass.echo.perSecond),
  };
  const reached = ours / bare >= RATIO_GOAL && p99 < P99_GOAL_MS;
  const goal = `ratio ≥ ${RATIO_GOAL}, p99 < ${P99_GOAL_MS} ms`;
  const results = [{ name: 'notify', ours, bare, unit: 'calls/s', goal, reached, extras }];
  return { results, work: meter.measured };
};

const PUSH_TOKEN = pushTokenOf(7, '0'.repeat(27));

const notifyBody = (requestId: string) =>
  JSON.stringify({
    audience: { push_token: [PUSH_TOKEN] },
    message: { title: 'Your order', body: 'It is on its way and arrives this afternoon.', ext: { order: 4711 } },
    setting: { request_id: requestId },
  });

async function startBare({ settings }: Carillon, parts: AsyncDisposableStack): Promise<number> {
  const program = fileURLToPath(new URL('./bare-accept.ts', import.meta.url));
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [...childArguments, program], { stdio: ['pipe', 'pipe', 'inherit'], env });
  parts.defer(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`bare-accept.ts exited with code ${code}.`);
  });
  exited.catch(() => undefined); // it also exits at the end of the bench
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])) as [string];
  return Number(line);
}
