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
  /** The violated invariants. */
  readonly broken: readonly string[];
  readonly trace: readonly string[];
}

/** Minimum number of events while faults are injected. */
const STEPS_MIN = 200;
const FAULTS_MS_MIN = 8_000;
/** Enough time for all work to finish after the faults: the longest lifetime, lease and retry, and some polls. */
const DRAIN_MS = 240_000;

/** Runs one seed: injects faults for a while, ends them, and then checks the invariants. */
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
    // A worker that continues after a pause records what vendors accepted in the meantime.
    const isQuiet = () => scheduler.now > Math.max(lastReceipt, system.faultsEndedAt);
    const settled = () => isQuiet() && [...tasks.values()].every(({ state }) => state === 'finished');
    await scheduler.runUntil(settled, end);
    await scheduler.runUntil(() => false, scheduler.now + 3_000); // waits for receipts that are in flight
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

/** Ends all faults. Paused processes continue when their pause ends. */
function endFaults(system: SimulatedSystem): void {
  const { scheduler } = system;
  scheduler.note('all faults end');
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
