import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SimulationResult } from './simulate.ts';

/** Every so-manyth seed from the first on. */
export interface SeedRange {
  readonly first: number;
  readonly count: number;
  readonly stride: number;
}

/** What came of seeds that one thread has played. */
export interface SeedResults {
  steps: number;
  stepsMin: number;
  tasks: number;
  readonly counts: Map<string, number>;
  /** The first of them that broke a law. */
  failed: SimulationResult | undefined;
}

/** As many as the smallest CI machine has cores. */
const THREADS = 2;

/**
 * Plays seeds in threads of their own: a simulation is nothing but promises, and inside a test node watches each of them,
 * which makes it three times slower.
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
