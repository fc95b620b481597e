import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { retryDelayMs } from './backoff.ts';
import { disconnectActionOf } from './disconnect-action.ts';

const longest = () => 1;
const SECOND_MS = 1_000;

describe('the delay before another attempt', () => {
  test('has an upper bound that doubles from one second to two minutes', () => {
    const bounds = Array.from({ length: 10 }, (_, i) => retryDelayMs('later', i + 1, longest) / SECOND_MS);
    assert.deepEqual(bounds, [1, 2, 4, 8, 16, 32, 64, 120, 120, 120]);
    assert.equal(retryDelayMs('later', 5_000, longest), 120 * SECOND_MS);
  });

  test('is random below the bound, so that devices that lost the same gateway reconnect at different times', () => {
    const pauses = Array.from({ length: 10_000 }, () => retryDelayMs('later', 8));
    const perQuarter = [0, 0, 0, 0];
    for (const pause of pauses)
      perQuarter[Math.floor(pause / (30 * SECOND_MS))] = (perQuarter[Math.floor(pause / (30 * SECOND_MS))] ?? 0) + 1;
    assert.equal(perQuarter.length, 4);
    for (const count of perQuarter) assert.ok(count > 2_200 && count < 2_800, perQuarter.join());
  });

  test('is short after a gateway stops, and grows if the next gateways stop too', () => {
    assert.equal(retryDelayMs('soon', 1, longest), 3 * SECOND_MS);
    assert.equal(
      retryDelayMs('soon', 1, () => 0),
      0,
    );
    assert.equal(retryDelayMs('soon', 8, longest), 120 * SECOND_MS);
  });
});

describe('the action after a disconnect', () => {
  const meanings = [
    [undefined, 'later'],
    [0x88, 'later'],
    [0x89, 'later'],
    [0x8d, 'later'],
    [0x97, 'later'],
    [0x8b, 'soon'],
    [0x9c, 'soon'],
    [0x86, 'signed-out'],
    [0x87, 'signed-out'],
    [4, 'signed-out'],
    [5, 'signed-out'],
    [0x8e, 'taken-over'],
  ] as const;
  for (const [reasonCode, verdict] of meanings)
    test(`${reasonCode === undefined ? 'no reason code' : `0x${reasonCode.toString(16)}`} is ${verdict}`, () =>
      assert.equal(disconnectActionOf(reasonCode), verdict));
});
