import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram, Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';

const bounds = [0.01, 0.1, 1];
const options = { name: 'bell_seconds', help: 'Duration in seconds.' };

/** Returns the exposition text of a metric. */
async function exposition(metric: object): Promise<string> {
  const registry = new Registry();
  registry.registerMetric(metric as Histogram);
  return registry.metrics();
}

test('formats a histogram like prom-client', async () => {
  const ours = new DurationHistogram({ ...options, label: 'bell', bounds });
  const theirs = new Histogram({ ...options, labelNames: ['bell'], buckets: bounds, registers: [] });
  for (const [bell, seconds] of [
    ['small', 0.005],
    ['small', 0.1],
    ['great', 0.5],
    ['great', 70],
    ['small', 0.02],
  ] as const) {
    ours.observe(seconds, bell);
    theirs.observe({ bell }, seconds);
  }
  assert.deepEqual(
    (await exposition(ours)).split('\n').sort(),
    withLastLabel(await exposition(theirs))
      .split('\n')
      .sort(),
  );
});

test('reports a histogram without a label from the start, and one with a label from its first observation', async () => {
  const unlabelled = new DurationHistogram({ ...options, label: undefined, bounds });
  assert.equal(
    await exposition(unlabelled),
    await exposition(new Histogram({ ...options, buckets: bounds, registers: [] })),
  );
  const labelled = new DurationHistogram({ ...options, label: 'bell', bounds });
  assert.doesNotMatch(await exposition(labelled), /^bell_seconds/m);
});

test('observeSince records the elapsed time', async () => {
  const timings = new DurationHistogram({ ...options, label: undefined, bounds });
  timings.observeSince(performance.now() - 500);
  const { values } = await timings.get();
  const sum = values.find(({ metricName }) => metricName === 'bell_seconds_sum')?.value ?? 0;
  assert.ok(sum >= 0.5 && sum < 5, `${sum}`);
});

/** Moves the bucket bound after the other label, because prom-client prints the bound first. */
const withLastLabel = (text: string): string => text.replaceAll(/\{(le="[^"]+"),([^}]+)\}/g, '{$2,$1}');
