import { takeGlobals, UnhandledRejection } from './environment/globals.ts';
import { BEGINNING } from './environment/scheduler.ts';
import { homeRows } from './storage/rows.ts';
import { populate, stir } from './system/chaos.ts';
import { verdict } from './system/final-checks.ts';
import { LawBroken } from './system/oracle.ts';
import { LATE_MS_MAX } from './system/phone.ts';
import { type Breakage, World } from './system/simulated-system.ts';

export interface Simulated {
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
const STIR_MS_MIN = 8_000;
/** By then everything is healed and done: the longest lifetime, the longest lease and retry, and some looks. */
const DRAIN_MS = 240_000;

/** One seed is one world: things go wrong in it for a while, then everything heals, and then the law must hold. */
export async function simulate(seed: number, breakage: Breakage = {}): Promise<Simulated> {
  const world = new World(seed, breakage);
  const { scheduler, faults, random } = world;
  const giveBack = takeGlobals(scheduler);
  let broken: string[] = [];
  try {
    const chaos = scheduler.process('chaos');
    scheduler.run(chaos, () => populate(world));
    scheduler.run(chaos, () => stir(world));
    const until = BEGINNING + STIR_MS_MIN + random.below(12_000);
    await scheduler.runUntil(() => scheduler.now >= until && scheduler.steps >= STEPS_MIN, Number.POSITIVE_INFINITY);
    scheduler.run(chaos, () => heal(world));
    const end = scheduler.now + DRAIN_MS;
    const tasks = homeRows(world.truth.home).tasks;
    const lastReceipt = scheduler.now + LATE_MS_MAX;
    const settled = () => scheduler.now > lastReceipt && [...tasks.values()].every(({ state }) => state === 'finished');
    await scheduler.runUntil(settled, end);
    await scheduler.runUntil(() => false, scheduler.now + 3_000); // receipts that are on the way come in
    broken = verdict(world);
  } catch (error) {
    if (error instanceof LawBroken) broken = [error.message];
    else if (error instanceof UnhandledRejection) broken = [`no rejection is left unhandled: ${error.message}`];
    else throw error;
  } finally {
    giveBack();
  }
  const tasks = homeRows(world.truth.home).tasks.size;
  return { seed, steps: scheduler.steps, tasks, counts: faults.counts, broken, trace: scheduler.trace };
}

/** Nothing goes wrong any more; what stands still goes on in its time. */
function heal(world: World): void {
  const { scheduler } = world;
  scheduler.note('everything heals');
  world.faults.active = false;
  const standing = [...world.workers, ...world.gateways.map(({ process }) => process)].filter(({ alive }) => alive);
  world.healedAt = Math.max(scheduler.now, ...standing.map(({ pausedUntil }) => pausedUntil));
  world.vendors.recover();
  world.bus.downUntil = 0;
  for (const storage of [world.home, ...world.storages]) storage.awayUntil = 0;
  world.startWorker();
  world.startGateway();
}
