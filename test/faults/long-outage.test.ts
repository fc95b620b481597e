import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkHistory } from '../support/history/check-history.ts';
import { completeHistory } from '../support/history/read-history.ts';
import { needsTwoShards, outageModes, startWithProxiedShard } from '../support/shard-outage.ts';
import { compareLatencies, findSlowFunctions, latencyTable, type Phase } from './load/latency-table.ts';
import { OutageLoad } from './load/outage-load.ts';
import { runSize } from './load/run-size.ts';

/** Time in which new processes reach their normal speed. */
const WARM_UP_MS = 5_000;
const SAMPLES_MIN = 50;
/**
 * A process takes more than a second to start, so there are only about five restarts in CI. They must succeed, and the
 * table shows their median. The long form has enough of them to compare their times.
 */
const RESTARTS_MIN = 2;

const seconds = runSize.outageMs / 1_000;

/** The short form has about 120 samples per function, so one pause of the machine would decide the 99th percentile. */
const PERCENTILE = runSize.name === 'full' ? 99 : 95;

// The long form is a step of `.ci/nightly`. In the short form, a slow run is repeated once, because the machine may have
// been busy.
describe(
  `a shard database refuses connections for ${seconds} s, and later does not respond for ${seconds} s`,
  needsTwoShards,
  () => {
    async function measure(phase: string): Promise<Phase> {
      const start = Date.now();
      await sleep(runSize.outageMs);
      return { phase, start, end: Date.now() };
    }

    /** Asserts that every count is exact. Returns the calls that failed and the functions that were slower. */
    async function findAffectedFunctions(): Promise<string[]> {
      await using outage = await startWithProxiedShard({ gateways: 2 });
      await using load = new OutageLoad(outage);
      await load.start();
      await sleep(WARM_UP_MS);
      const normal = await measure('before');
      const outages: Phase[] = [];
      for (const mode of outageModes) {
        outage.fail(mode);
        outages.push(await measure(mode));
        await outage.recover();
      }
      await load.stop();
      await completeHistory(outage.carillon, outage.history);

      const rows = compareLatencies(load.samples(), normal, outages, PERCENTILE);
      for (const line of latencyTable(rows)) console.log(`  ${line}`);
      assert.deepEqual([...load.wrongCounts(), ...checkHistory(outage.history)], []);
      const isRestart = (name: string) => name === 'gateway restart';
      for (const { before, during } of rows.filter(({ name }) => isRestart(name)))
        for (const { count } of [before, ...during]) assert.ok(count >= RESTARTS_MIN, `${count} restarts`);
      const comparedRows = rows.filter(({ name }) => runSize.name === 'full' || !isRestart(name));
      return [
        ...load.failures,
        ...findSlowFunctions(comparedRows, (name) => (isRestart(name) ? RESTARTS_MIN : SAMPLES_MIN)),
      ];
    }

    test('devices in the other database are served as before, and the affected devices receive everything afterwards', async () => {
      let affected = await findAffectedFunctions().catch((error: Error) => {
        // Wrong counts are never repeated.
        if (runSize.name === 'full' || error instanceof assert.AssertionError) throw error;
        return [`${error}`];
      });
      if (affected.length > 0 && runSize.name === 'short') {
        console.log(`  repeated, because the machine may have been busy: ${affected.join('; ')}`);
        affected = await findAffectedFunctions();
      }
      assert.deepEqual(affected, []);
    });
  },
);
