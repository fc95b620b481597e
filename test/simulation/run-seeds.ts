import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SimulationResult } from './simulate.ts';

/** Every `stride`-th seed, starting at `first`. */
export interface SeedRange {
  readonly first: number;
  readonly count: number;
  readonly stride: number;
}

/** The results of the seeds that one thread has run. */
export interface SeedResults {
  steps: number;
  stepsMin: number;
  tasks: number;
  readonly counts: Map<string, number>;
  /** The first simulation that violated an invariant. */
  failed: SimulationResult | undefined;
}

/** The number of cores of the smallest CI machine. */
const THREADS = 2;

/**
 * Runs seeds in worker threads. A simulation creates many promises. Inside a test, Node.js tracks each promise, which
 * makes the simulation three times slower.
 */
export async function runSeeds(first: number, seeds: number): Promise<SeedResults[]> {
  return Promise.all(
    Array.from({ length: THREADS }, async (_, thread) => {
      const count = Math.ceil((seeds - thread) / THREADS);
      const workerData: SeedRange = { first: first + thread, count, stride: THREADS };
      const worker = new Worker(new URL('./seed-thread.ts', import.meta.url), { workerData, execArgv: [] });
      const [done] = (await once(worker, 'message')) as [SeedResults];
      return done;
    }),
  );
}
