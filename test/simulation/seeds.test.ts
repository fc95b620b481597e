import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import './environment/replace-modules.ts';
import { regressionSeeds } from './seeds.ts';

const { simulate } = await import('./simulate.ts');

describe('seeds that once violated an invariant', () => {
  for (const [seed, found] of regressionSeeds)
    test(`${seed}: ${found}`, async () => {
      const { broken, trace } = await simulate(seed);
      assert.deepEqual(broken, [], trace.slice(-80).join('\n'));
    });
});
