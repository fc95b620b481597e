import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  compareBudget,
  lowestOf,
  type MeasuredScenarios,
  type Scenario,
  scenarios,
  toBudget,
} from './compare-budget.ts';
import type { WorkPerUnit } from './work.ts';

const work: WorkPerUnit = {
  ...{ statements: 10, commits: 5, walBytes: 5_000, natsMessages: 3 },
  ...{ postgresCpuMs: 8, apiCpuMs: 2, gatewayCpuMs: 2, workerCpuMs: 5 },
};
const measured = Object.fromEntries(Object.keys(scenarios).map((name) => [name, work])) as MeasuredScenarios;
const budget = toBudget({ scenarios: measured, mitigations: {} });
const compareWith = (change: Partial<WorkPerUnit>, scenario: Scenario = 'single push') =>
  compareBudget(budget, { ...measured, [scenario]: { ...work, ...change } });

describe('the work budget', () => {
  test('accepts equal figures and a rise of 4 %', () => {
    assert.deepEqual(compareWith({}), { failures: [], hints: [] });
    assert.deepEqual(compareWith({ statements: 10.4, walBytes: 5_200 }), { failures: [], hints: [] });
  });

  test('rejects a rise of 6 %, with the figure before and after', () => {
    assert.deepEqual(compareWith({ statements: 10.6, walBytes: 5_300 }), {
      failures: [
        'single push: statements rose from 10 to 10.6 (+6.0 %).',
        'single push: walBytes rose from 5000 to 5300 (+6.0 %).',
      ],
      hints: [],
    });
  });

  test('rejects a figure that rose from zero', () => {
    const withoutNats = toBudget({
      scenarios: { ...measured, connect: { ...work, natsMessages: 0 } },
      mitigations: {},
    });
    const { failures } = compareBudget(withoutNats, measured);
    assert.deepEqual(failures, ['connect: natsMessages rose from 0 to 3.']);
  });

  test('reports a fall of 8 % as a hint', () => {
    assert.deepEqual(compareWith({ commits: 4.6 }), {
      failures: [],
      hints: ['single push: commits fell from 5 to 4.6 (-8.0 %).'],
    });
  });

  test('uses the lower figure of two measurements', () => {
    const withFigure = (statements: number) => ({ ...measured, waiting: { ...work, statements } });
    assert.deepEqual(lowestOf(withFigure(15), withFigure(10)), measured);
    const { failures } = compareBudget(budget, lowestOf(withFigure(15), withFigure(14)));
    assert.deepEqual(failures, ['waiting: statements rose from 10 to 14 (+40.0 %).']);
  });

  test('ignores CPU time', () => {
    assert.deepEqual(compareWith({ workerCpuMs: 50, postgresCpuMs: 80 }), { failures: [], hints: [] });
    assert.deepEqual(budget.measured.connect, { postgresCpuMs: 8, apiCpuMs: 2, gatewayCpuMs: 2, workerCpuMs: 5 });
  });

  test('rejects figures and scenarios that the budget does not contain', () => {
    const { connect, ...others } = budget.enforced;
    assert.equal(compareBudget({ ...budget, enforced: others }, measured).failures.length, 4);
    const { natsMessages, ...otherFigures } = connect ?? {};
    assert.equal(natsMessages, 3);
    assert.deepEqual(compareBudget({ ...budget, enforced: { ...others, connect: otherFigures } }, measured).failures, [
      'connect: natsMessages is not in the budget (measured 3).',
    ]);
  });

  test('accepts one more heartbeat in an idle minute', () => {
    assert.deepEqual(compareWith({ commits: 7 }, 'idle minute').failures, []);
    assert.equal(compareWith({ commits: 10 }, 'idle minute').failures.length, 1);
  });
});
