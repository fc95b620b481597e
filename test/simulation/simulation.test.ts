import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import './environment/replace-modules.ts';
import { runSeeds } from './run-seeds.ts';
import { effectNames, faultNames } from './system/faults.ts';

// After the imports above, `src/` is loaded with the simulated modules.
const { simulate } = await import('./simulate.ts');
const { controls, withoutSecondLook } = await import('./system/breakages.ts');

/**
 * Every run uses the same seeds, so `.ci/nightly` runs more of them. To run other seeds:
 * `CARILLON_SIMULATION_SEEDS=10000 CARILLON_SIMULATION_FIRST=1001 npm test -- test/simulation/simulation.test.ts`
 */
const SEEDS = Number(process.env.CARILLON_SIMULATION_SEEDS ?? 400);
const FIRST = Number(process.env.CARILLON_SIMULATION_FIRST ?? 1);
const STEPS_MIN = 200;
const TRACE_LINES = 80;
/** Maximum number of seeds within which a broken rule must be detected. */
const CONTROL_SEEDS_MAX = 300;
/** With fewer seeds, some faults may not occur. */
const SEEDS_FOR_EVERY_FAULT = 300;

describe('the ledger under injected faults', () => {
  test(`${SEEDS} seeds violate no invariant`, async () => {
    const began = performance.now();
    const done = await runSeeds(FIRST, SEEDS);
    const seconds = (performance.now() - began) / 1_000;
    for (const { failed } of done) {
      if (!failed) continue;
      console.log(failed.trace.slice(-TRACE_LINES).join('\n'));
      assert.fail(`seed ${failed.seed}: ${failed.broken.join('; ')}`);
    }
    const counts = new Map<string, number>();
    for (const [name, count] of done.flatMap((one) => [...one.counts]))
      counts.set(name, (counts.get(name) ?? 0) + count);
    const [steps, tasks] = [sum(done.map((one) => one.steps)), sum(done.map((one) => one.tasks))];
    console.log(`${SEEDS} seeds, ${tasks} tasks, ${steps} steps in ${seconds.toFixed(1)} s`);
    for (const [name, count] of [...counts].sort()) console.log(`${count.toString().padStart(9)}  ${name}`);
    assert.ok(done.every(({ stepsMin }) => stepsMin >= STEPS_MIN));
    const expected = [...faultNames, ...effectNames.map((effect) => `(${effect})`)];
    const missing = expected.filter((name) => !counts.has(name));
    if (SEEDS >= SEEDS_FOR_EVERY_FAULT) assert.deepEqual(missing, [], 'every fault and effect occurred');
  });

  test('the same seed produces the same run', async () => {
    const [once, again] = [await simulate(FIRST), await simulate(FIRST)];
    assert.ok(once.trace.length > STEPS_MIN);
    assert.deepEqual(again.trace, once.trace);
  });
});

describe('detection of missing rules', () => {
  for (const { rule, breakage, laws } of controls)
    test(rule, async () => {
      for (let seed = 1; seed <= CONTROL_SEEDS_MAX; seed++) {
        const { broken } = await simulate(seed, breakage);
        if (broken.some((law) => laws.test(law))) return;
      }
      assert.fail(`${CONTROL_SEEDS_MAX} seeds found no violation`);
    });

  test('every task is finished without the second check for unfinished tasks, as long as nothing fails or is slow', async () => {
    for (let seed = 1; seed <= 30; seed++) assert.deepEqual((await simulate(seed, withoutSecondLook)).broken, []);
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
