import { replaceGlobals, UnhandledRejection } from './environment/globals.ts';
import { START_MS } from './environment/scheduler.ts';
import { homeRows } from './storage/rows.ts';
import { injectFaults, populate } from './system/chaos.ts';
import { checkFinalState } from './system/final-checks.ts';
import { LawBroken } from './system/oracle.ts';
import { LATE_MS_MAX } from './system/phone.ts';
import { type Breakage, SimulatedSystem } from './system/simulated-system.ts';

export interface SimulationResult {
  readonly seed: number;
  readonly steps: number;
  readonly tasks: number;
  readonly counts: ReadonlyMap<string, number>;
  /** The laws that were broken. */
  readonly broken: readonly string[];
  readonly trace: readonly string[];
}

/** So many events at least happen while things go wrong. */
const STEPS_MIN = 200;
const FAULTS_MS_MIN = 8_000;
/** By then everything is healed and done: the longest lifetime, the longest lease and retry, and some looks. */
const DRAIN_MS = 240_000;

/** One seed is one world: things go wrong in it for a while, then everything heals, and then the law must hold. */
export async function simulate(seed: number, breakage: Breakage = {}): Promise<SimulationResult> {
  const system = new SimulatedSystem(seed, breakage);
  const { scheduler, faults, random } = system;
  const restoreGlobals = replaceGlobals(scheduler);
  let broken: string[] = [];
  try {
    const chaos = scheduler.createProcess('chaos');
    scheduler.run(chaos, () => populate(system));
    scheduler.run(chaos, () => injectFaults(system));
    const until = START_MS + FAULTS_MS_MIN + random.below(12_000);
    await scheduler.runUntil(() => scheduler.now >= until && scheduler.steps >= STEPS_MIN, Number.POSITIVE_INFINITY);
    scheduler.run(chaos, () => endFaults(system));
    const end = scheduler.now + DRAIN_MS;
    const tasks = homeRows(system.storage.home).tasks;
    const lastReceipt = scheduler.now + LATE_MS_MAX;
    const settled = () => scheduler.now > lastReceipt && [...tasks.values()].every(({ state }) => state === 'finished');
    await scheduler.runUntil(settled, end);
    await scheduler.runUntil(() => false, scheduler.now + 3_000); // receipts that are on the way come in
    broken = checkFinalState(system);
  } catch (error) {
    if (error instanceof LawBroken) broken = [error.message];
    else if (error instanceof UnhandledRejection) broken = [`no rejection is left unhandled: ${error.message}`];
    else throw error;
  } finally {
    restoreGlobals();
  }
  const tasks = homeRows(system.storage.home).tasks.size;
  return { seed, steps: scheduler.steps, tasks, counts: faults.counts, broken, trace: scheduler.trace };
}

/** Nothing goes wrong any more; what stands still goes on in its time. */
function endFaults(system: SimulatedSystem): void {
  const { scheduler } = system;
  scheduler.note('everything heals');
  system.faults.active = false;
  const liveProcesses = [...system.workers, ...system.gateways.map(({ process }) => process)].filter(
    ({ alive }) => alive,
  );
  system.faultsEndedAt = Math.max(scheduler.now, ...liveProcesses.map(({ pausedUntil }) => pausedUntil));
  system.vendors.recover();
  system.bus.downUntil = 0;
  for (const database of [system.homeDatabase, ...system.shardDatabases]) database.unavailableUntil = 0;
  system.startWorker();
  system.startGateway();
}
