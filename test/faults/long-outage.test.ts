import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkHistory } from '../support/history/check-history.ts';
import { completeHistory } from '../support/history/read-history.ts';
import { needsTwoShards, outageModes, type ShardOutage, startWithProxiedShard } from '../support/shard-outage.ts';
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

// The long form is a step of `.ci/nightly`.
describe(
  `a shard database refuses connections for ${seconds} s, and later does not respond for ${seconds} s`,
  needsTwoShards,
  () => {
    let outage: ShardOutage;

    before(async () => {
      outage = await startWithProxiedShard({ gateways: 2 });
    });
    after(() => outage?.[Symbol.asyncDispose]());

    async function measure(phase: string): Promise<Phase> {
      const start = Date.now();
      await sleep(runSize.outageMs);
      return { phase, start, end: Date.now() };
    }

    test('devices in the other database are served as before, and the affected devices receive everything afterwards', async () => {
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

      const rows = compareLatencies(load.samples(), normal, outages);
      for (const line of latencyTable(rows)) console.log(`  ${line}`);
      assert.deepEqual([...load.findings(), ...checkHistory(outage.history)], []);
      const isRestart = (name: string) => name === 'gateway restart';
      for (const { before, during } of rows.filter(({ name }) => isRestart(name)))
        for (const { count } of [before, ...during]) assert.ok(count >= RESTARTS_MIN, `${count} restarts`);
      const comparedRows = rows.filter(({ name }) => runSize.name === 'full' || !isRestart(name));
      assert.deepEqual(
        findSlowFunctions(comparedRows, (name) => (isRestart(name) ? RESTARTS_MIN : SAMPLES_MIN)),
        [],
      );
    });
  },
);
