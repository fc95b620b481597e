import { parentPort, workerData } from 'node:worker_threads';
import './environment/replace-modules.ts';
import type { SeedRange, SeedResults } from './run-seeds.ts';

// After the import above, `src/` is loaded with the simulated modules.
const { simulate } = await import('./simulate.ts');

const { first, count, stride } = workerData as SeedRange;
const done: SeedResults = {
  steps: 0,
  stepsMin: Number.POSITIVE_INFINITY,
  tasks: 0,
  counts: new Map(),
  failed: undefined,
};
for (let i = 0; i < count && !done.failed; i++) {
  const simulated = await simulate(first + i * stride);
  if (simulated.broken.length > 0) done.failed = simulated;
  done.steps += simulated.steps;
  done.stepsMin = Math.min(done.stepsMin, simulated.steps);
  done.tasks += simulated.tasks;
  for (const [name, n] of simulated.counts) done.counts.set(name, (done.counts.get(name) ?? 0) + n);
}
parentPort?.postMessage(done);
