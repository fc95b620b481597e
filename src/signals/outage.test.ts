import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage } from './outage.ts';

test('an outage is logged once, then every minute with the number of failures, and again after its end', () => {
  const outage = new Outage();
  const logged = Array.from({ length: 126 }, (_, second) => outage.fail(second * 1_000));
  assert.deepEqual(
    logged.flatMap((failures, second) => (failures === undefined ? [] : [[second, failures]])),
    [
      [0, 1],
      [60, 61],
      [120, 121],
    ],
  );
  outage.end();
  assert.equal(outage.fail(126_000), 1);
});
