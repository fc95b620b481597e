import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SWEEP_MS } from '#src/worker/claim/sweep.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { type Stack, startStack } from '../../scripts/stack/stack.ts';
import { type Carillon, startCarillon } from '../support/carillon.ts';
import { queryCountOf } from '../support/concurrent-calls.ts';
import { connectSwarmDevice, createSwarm, type SwarmDevice } from '../support/device-swarm.ts';
import { eventually } from '../support/eventually.ts';
import { countInboxRows, type SliceRow, slicesOf } from '../support/ledger.ts';

/** One full slice. */
const DEVICES = 512;
/** The long form is `PHONES=30 npm test -- test/faults/waiting-slice.test.ts`. */
const ACKNOWLEDGING = Number(process.env.PHONES ?? 12);
/** Longer than the interval of sweeps, so that each acknowledgement could cause a separate claim. */
const ACKNOWLEDGE_EVERY_MS = SWEEP_MS + 200;
const IDLE_MS = ACKNOWLEDGING * 300;
/** Maximum number of claims of the slice while the devices acknowledge, after its first claim. */
const CLAIMS_MAX = 5;

describe('a slice that waits in inboxes while its devices connect one by one', () => {
  let stack: Stack;
  let carillon: Carillon;

  before(async () => {
    // The extension only measures the work, for the output of the test.
    stack = await startStack({ postgresSettings: { shared_preload_libraries: 'pg_stat_statements' } });
    carillon = await startCarillon({ stack });
    for (const db of carillon.storage.shards.all) await db.query('create extension pg_stat_statements');
  });
  after(async () => {
    await carillon?.[Symbol.asyncDispose]();
    await stack?.stop();
  });

  const epochsOf = (slices: readonly SliceRow[]) => slices.reduce((sum, { epoch }) => sum + epoch, 0);

  /** Returns the statements of each shard database that took the most time. */
  async function readStatements() {
    const rows = await Promise.all(
      carillon.storage.shards.all.map((db) =>
        db.query<{ query: string; calls: bigint; rows: bigint; ms: number; wal: string }>(
          `select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query, calls, rows, total_exec_time as ms,
                  wal_bytes::text as wal
             from pg_stat_statements
            where dbid = (select oid from pg_database where datname = current_database())
            order by total_exec_time desc
            limit 12`,
        ),
      ),
    );
    return rows.flat();
  }

  test('is not claimed again for each acknowledgement', async () => {
    const { storage } = carillon;
    const [worker] = carillon.workers as [RoleProcess];
    const [gateway] = carillon.gateways as [RoleProcess];
    using swarm = await createSwarm(carillon, DEVICES);
    const taskId = await carillon.notify('all', { body: 'later' }, { distribution_strategy: 'nativepush_only' });
    await eventually(async () => {
      assert.equal(await countInboxRows(storage, taskId), DEVICES);
      assert.ok((await slicesOf(storage, taskId)).every(({ state }) => state === 'waiting'));
    }, 30);
    const queriesBeforeIdle = await queryCountOf(worker);
    await sleep(IDLE_MS);
    const idleQueriesPerMs = ((await queryCountOf(worker)) - queriesBeforeIdle) / IDLE_MS;
    const slicesBefore = await slicesOf(storage, taskId);
    for (const { epoch, state, status } of slicesBefore)
      console.log(`  slice before: epoch ${epoch}, ${state}, ${status.length} places`);

    for (const db of storage.shards.all) await db.query('select pg_stat_statements_reset()');
    const queriesBefore = await queryCountOf(worker);
    const devices: SwarmDevice[] = [];
    const epochs: number[] = [];
    const began = performance.now();
    for (let i = 0; i < ACKNOWLEDGING; i++) {
      const member = swarm.members[i * 7];
      assert.ok(member);
      devices.push(await connectSwarmDevice(gateway.ports.gateway as number, member.login, member));
      await sleep(Math.max(0, began + (i + 1) * ACKNOWLEDGE_EVERY_MS - performance.now()));
      epochs.push(epochsOf(await slicesOf(storage, taskId)));
    }
    await eventually(async () => assert.equal(await countInboxRows(storage, taskId), DEVICES - ACKNOWLEDGING));
    await sleep(2 * SWEEP_MS); // a claim that the last acknowledgement causes would follow within two sweeps

    const received = swarm.members.filter(({ taskIds }) => taskIds.includes(taskId.toString())).length;
    const claims = epochsOf(await slicesOf(storage, taskId)) - epochsOf(slicesBefore);
    const queries = (await queryCountOf(worker)) - queriesBefore;
    const idleQueries = idleQueriesPerMs * ACKNOWLEDGING * ACKNOWLEDGE_EVERY_MS;
    console.log(`  epochs ${epochs.join(' ')}`);
    console.log(
      `  ${received} devices received it, ${await countInboxRows(storage, taskId)} inbox rows are left, ${claims} claims`,
    );
    console.log(`  ${queries} queries of the worker; an idle worker sends about ${idleQueries.toFixed(0)}`);
    for (const { calls, rows, ms, wal, query } of await readStatements())
      console.log(`  ${calls} calls, ${rows} rows, ${ms.toFixed(1)} ms, ${wal} bytes of WAL | ${query}`);
    for (const device of devices) device[Symbol.dispose]();
    assert.equal(received, ACKNOWLEDGING);
    assert.ok(claims <= CLAIMS_MAX, `the slice was claimed ${claims} times for ${ACKNOWLEDGING} acknowledgements`);
  });
});
