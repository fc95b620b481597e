import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLoopDelays } from './process-metrics.ts';

const SECOND_MS = 1_000;

/** Measures delays that the test sets, on a simulated clock. */
function simulate() {
  let delay = 0;
  let nowMs = 0;
  const delays = new EventLoopDelays(() => {
    const taken = delay;
    delay = 0;
    return taken;
  });
  return {
    block: (seconds: number) => {
      delay = Math.max(delay, seconds);
    },
    pass: (seconds: number) => {
      for (let i = 0; i < seconds; i += 5) {
        nowMs += 5 * SECOND_MS;
        delays.endPart(nowMs);
      }
    },
    scrape: () => delays.report(nowMs),
  };
}

test('a delay is reported to each of two servers that scrape within a minute', () => {
  const { block, pass, scrape } = simulate();
  block(0.7);
  assert.equal(scrape(), 0.7);
  pass(15);
  assert.equal(scrape(), 0.7);
  pass(60);
  assert.equal(scrape(), 0);
});

test('the longest delay since the last scrape is reported, even if it was minutes ago', () => {
  const { block, pass, scrape } = simulate();
  block(2);
  pass(300);
  block(0.5);
  pass(120);
  assert.equal(scrape(), 2);
  assert.equal(scrape(), 0);
});
