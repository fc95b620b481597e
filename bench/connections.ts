import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBareGateway } from './phones/bare-gateway-process.ts';
import { createPhones, Phones } from './phones/phones.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const SESSIONS = 15_000;
const PASSES = 3;
/**
 * The first third of the sessions is not measured, because the memory of the process also grows for other reasons while
 * they connect.
 */
const WARM_UP_SHARE = 1 / 3;
/** Time for the garbage collector to free the memory that connecting used. */
const SETTLE_MS = 30_000;
const RATIO_GOAL = 1.3;
const KB_GOAL = 11.6;

/**
 * Measures the resident memory that each additional idle session costs a gateway process. The baseline is a socket with
 * the same codec.
 */
export const connections: Bench = async ({ size = SESSIONS, say }) => {
  await using resources = new AsyncDisposableStack();
  const { carillon, meter } = await startService(resources, say);
  const phoneCredentials = await createPhones(carillon, size, say);
  const warm = Math.floor(size * WARM_UP_SHARE);

  const measure = async (pid: number, port: number, measureWork = false): Promise<number> => {
    await using phones = new Phones();
    await phones.connect(phoneCredentials.slice(0, warm), [port]);
    await sleep(SETTLE_MS);
    const before = await rssKb(pid);
    const connectOthers = () => phones.connect(phoneCredentials.slice(warm), [port]);
    await (measureWork ? meter.measure('connect', () => ({ device: size - warm }), connectOthers) : connectOthers());
    await sleep(SETTLE_MS);
    const after = await rssKb(pid);
    say(`${size} sessions: ${Math.round(after / 1_024)} MB, ${warm}: ${Math.round(before / 1_024)} MB`);
    return (after - before) / (size - warm);
  };
  const passes: { ours: number; bare: number }[] = [];
  for (let i = 0; i < PASSES; i++) {
    await using bareGateway = await startBareGateway();
    const bare = await measure(bareGateway.pid, bareGateway.port);
    const gateway = await carillon.start('gateway');
    const ours = await measure(gateway.pid, gateway.ports.gateway as number, i === PASSES - 1);
    await gateway.kill();
    passes.push({ ours, bare });
    say(`ours ${ours.toFixed(1)}, bare ${bare.toFixed(1)} KB`);
  }
  const median = (pick: (pass: (typeof passes)[number]) => number) =>
    passes.map(pick).sort((a, b) => a - b)[Math.floor(PASSES / 2)] as number;
  const [ours, bare] = [median((pass) => pass.ours), median((pass) => pass.bare)];
  const reached = ours <= RATIO_GOAL * bare && ours < KB_GOAL;
  const goal = `ratio ≤ ${RATIO_GOAL}, < ${KB_GOAL} KB`;
  return { results: [{ name: 'idle session', ours, bare, unit: 'KB RSS', goal, reached }], work: meter.measured };
};

async function rssKb(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
