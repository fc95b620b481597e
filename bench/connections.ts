import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoleProcess } from '../scripts/dev/role-process.ts';
import { startBareGateway } from './phones/bare.ts';
import { makePhones, type Phone, Phones } from './phones/phones.ts';
import type { Bench } from './result.ts';
import { startService } from './service.ts';

const SESSIONS = 15_000;
/** The first ones make the process grow for its own sake. */
const WARM = 1_000;
/** Garbage of connecting is gone by then. */
const SETTLE_MS = 10_000;
const RATIO_GOAL = 1.3;
const KB_GOAL = 11.6;

/** Resident memory of an idle session on one gateway process. Bare: a socket with the same codec. */
export const connections: Bench = async ({ size = SESSIONS, say }) => {
  await using parts = new AsyncDisposableStack();
  const { carillon } = await startService(parts, say, { gateways: 1 });
  const all = await makePhones(carillon, size + WARM, say);
  const [gateway] = carillon.gateways as [RoleProcess];
  const bareGateway = parts.use(await startBareGateway());

  const measure = async (what: string, pid: number, port: number): Promise<number> => {
    await using phones = new Phones();
    const connectSome = async (some: readonly Phone[]) => {
      const began = performance.now();
      await phones.connect(some, [port]);
      say(`${what}: ${some.length} connected in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      await sleep(SETTLE_MS);
      return rssKb(pid);
    };
    const before = await connectSome(all.slice(0, WARM));
    const after = await connectSome(all.slice(WARM));
    return (after - before) / size;
  };
  const bare = await measure('bare', bareGateway.pid, bareGateway.port);
  const ours = await measure('ours', gateway.pid, gateway.ports.gateway as number);
  const reached = ours <= RATIO_GOAL * bare && ours < KB_GOAL;
  const goal = `ratio ≤ ${RATIO_GOAL}, < ${KB_GOAL} KB`;
  return [{ what: 'idle session', ours, bare, unit: 'KB RSS', goal, reached }];
};

async function rssKb(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
