import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareLatencies, findSlowFunctions, latencyTable, type Percentile, type Sample } from './latency-table.ts';

const before = { phase: 'before', start: 0, end: 10_000 };
const outages = [{ phase: 'refuse', start: 10_000, end: 20_000 }];
const sample = (start: number, ms: number | undefined): Sample => ({
  name: 'login',
  start,
  end: ms === undefined ? undefined : start + ms,
});
const samplesMin = () => 1;
const compare = (samples: readonly Sample[], percentile: Percentile = 99) =>
  compareLatencies(samples, before, outages, percentile);

describe('the table of latencies', () => {
  test('permits twice the latency before the outage plus 100 ms', () => {
    const rows = (ms: number) => compare([sample(5, 50), sample(12_000, ms)]);
    assert.deepEqual(findSlowFunctions(rows(200), samplesMin), []);
    assert.deepEqual(findSlowFunctions(rows(201), samplesMin), ['login: p99 201 ms during refuse, at most 200 ms']);
    assert.deepEqual(latencyTable(rows(201)), [
      'function  before: n, p99  refuse: n, p99  limit',
      'login     1, 50 ms        1, 201 ms       200 ms',
    ]);
  });

  test('ignores the slowest of 100 samples, but not that of 99', () => {
    const during = (count: number) => Array.from({ length: count }, (_, i) => sample(12_000 + i, i === 7 ? 5_000 : 10));
    const findings = (count: number) => findSlowFunctions(compare([sample(5, 50), ...during(count)]), samplesMin);
    assert.deepEqual(findings(100), []);
    assert.deepEqual(findings(99), ['login: p99 5000 ms during refuse, at most 200 ms']);
  });

  test('with the 95th percentile, ignores the six slowest of 120 samples, but not the seventh', () => {
    const findings = (slow: number) => {
      const during = Array.from({ length: 120 }, (_, i) => sample(12_000 + i, i < slow ? 5_000 : 10));
      return findSlowFunctions(compare([sample(5, 50), ...during], 95), samplesMin);
    };
    assert.deepEqual(findings(6), []);
    assert.deepEqual(findings(7), ['login: p95 5000 ms during refuse, at most 200 ms']);
  });

  test('uses the median of fewer than 20 samples', () => {
    const during = (count: number) => Array.from({ length: count }, (_, i) => sample(12_000 + i, i === 7 ? 5_000 : 10));
    const findings = (count: number) => findSlowFunctions(compare([sample(5, 50), ...during(count)]), samplesMin);
    assert.deepEqual(findings(19), []);
    assert.deepEqual(findings(20), ['login: p99 5000 ms during refuse, at most 200 ms']);
  });

  test('counts a call that began before the outage and ended in it, and a call that never ended', () => {
    const began = [sample(5, 50), sample(9_900, 4_000)];
    assert.deepEqual(findSlowFunctions(compare(began), samplesMin), [
      'login: p99 4000 ms during refuse, at most 200 ms',
    ]);
    const never = [sample(5, 50), sample(12_000, undefined)];
    assert.deepEqual(findSlowFunctions(compare(never), samplesMin), ['login: p99 never during refuse, at most 200 ms']);
  });

  test('reports too few samples', () => {
    const rows = compare([sample(5, 50), sample(12_000, 60), sample(25_000, 9_999)]);
    assert.deepEqual(
      findSlowFunctions(rows, () => 2),
      ['login: 1 samples during before, at least 2', 'login: 1 samples during refuse, at least 2'],
    );
  });
});
