import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from './harness.ts';
import { operationNames } from './operations.ts';

const FIRST_SEED = Number(process.env.CARILLON_INTERLEAVINGS_FIRST ?? 1);
const SCHEDULES = Number(process.env.CARILLON_INTERLEAVINGS ?? 400);

test(`${SCHEDULES} interleavings of statements have the results of the models in the order of commits`, async () => {
  await using harness = await startHarness();
  const counts = new Map<string, number>(operationNames.map((name) => [name, 0]));
  let waits = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
    const report = await harness.run({ seed });
    for (const name of report.operations) counts.set(name, (counts.get(name) ?? 0) + 1);
    waits += report.waits;
  }
  console.log(
    `  ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}; ${waits} turns with a waiting statement`,
  );
  const missing = [...counts].filter(([, count]) => count === 0).map(([name]) => name);
  if (SCHEDULES >= 100) assert.deepEqual(missing, [], 'operations that did not occur');
  assert.ok(waits > 0, 'no statement waited for a lock');
});
