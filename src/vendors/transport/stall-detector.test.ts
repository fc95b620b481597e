import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { StallDetector } from './stall-detector.ts';

let now: number;
let detector: StallDetector;
beforeEach(() => {
  now = 0;
  detector = new StallDetector(() => now);
});

/** Starts requests that are pending until `end` is called. */
function startRequests(requests: number): { end(gotResponse: boolean): Promise<void> } {
  const work = Promise.withResolvers<boolean>();
  const done = detector.track('key', requests, work.promise, (gotResponse) => gotResponse);
  return {
    end: async (gotResponse) => {
      work.resolve(gotResponse);
      await done;
    },
  };
}
const isStalled = () => detector.isStalled('key');

describe('stalled vendor', () => {
  test('is reported when 20 requests are pending without a response for two seconds', () => {
    for (let i = 0; i < 20; i++) startRequests(1);
    now = 1_999;
    assert.equal(isStalled(), false);
    now = 2_000;
    assert.equal(isStalled(), true);
    assert.equal(detector.isStalled('another'), false);
  });

  test('is not reported if fewer than 20 requests are pending, even for a minute', () => {
    startRequests(19);
    now = 60_000;
    assert.equal(isStalled(), false);
  });

  test('is not reported while some requests get responses', async () => {
    startRequests(40);
    for (now = 1_000; now <= 10_000; now += 1_000) {
      await startRequests(1).end(true);
      assert.equal(isStalled(), false);
    }
    now += 1_000;
    assert.equal(isStalled(), true);
  });

  test('is reported until a response is received, even if fewer requests are pending by then', async () => {
    const [first, second] = [startRequests(1), startRequests(19)];
    now = 10_000;
    await first.end(false);
    assert.equal(isStalled(), true);
    await startRequests(1).end(true);
    assert.equal(isStalled(), false);
    now = 20_000;
    assert.equal(isStalled(), false);
    await second.end(false);
  });

  test('is reported until no requests are pending', async () => {
    const all = startRequests(20);
    now = 10_000;
    assert.equal(isStalled(), true);
    await all.end(false);
    assert.equal(isStalled(), false);
    startRequests(1);
    now = 20_000;
    assert.equal(isStalled(), false);
  });
});
