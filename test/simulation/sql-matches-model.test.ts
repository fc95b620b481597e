import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUCKETS } from '#src/domain/bucket.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import { divideBuckets } from '#src/storage/database/bucket-map.ts';
import { inTransaction, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import * as sqlCancel from '#src/storage/ledger/cancel.ts';
import * as sql from '#src/storage/ledger/expansions.ts';
import * as sqlFailedWork from '#src/storage/ledger/failed-work.ts';
import { findMisplannedTasks } from '#src/storage/ledger/invariants.ts';
import * as sqlLostTasks from '#src/storage/ledger/lost-tasks.ts';
import * as sqlSlices from '#src/storage/ledger/slices.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { randomFrom } from './environment/random.ts';
import { SimulatedShard } from './environment/simulated-shard.ts';
import * as modelCancel from './storage/cancel.ts';
import * as model from './storage/expansions.ts';
import * as modelFailedWork from './storage/failed-work.ts';
import * as modelLostTasks from './storage/lost-tasks.ts';
import { type ExpansionRow, shardRows } from './storage/rows.ts';
import * as modelSlices from './storage/slices.ts';

/** Statements finish within this time, so times that SQL and the model set differ by less. */
const CLOSE_MS = 10_000;
const STEPS = 500;
const TASKS = 6;
const LEASE_SECONDS = 30;

/** The functions of SQL and of the model that are called with the same arguments. */
type Functions = Pick<
  typeof sql,
  'planExpansions' | 'claimExpansions' | 'renewExpansion' | 'completeExpansion' | 'endExpansion' | 'findShardProgress'
> &
  Pick<typeof sqlCancel, 'cancelTaskInShards'> &
  Pick<typeof sqlLostTasks, 'findSliceProgress'> &
  Pick<typeof sqlSlices, 'insertUnclaimedSlices' | 'expandLists'> &
  Pick<typeof sqlFailedWork, 'recordExpansionFailure'>;

describe('SQL statements on expansions and the model of the simulation', () => {
  let databases: TestDatabases;
  let storage: Storage;
  let db: ShardDb;
  const firstTaskId = firstTaskIdAt(new Date()) + 1n;
  const taskIds = Array.from({ length: TASKS }, (_, i) => firstTaskId + BigInt(i));
  const claim = {
    lane: 'bulk',
    limit: 1_000,
    leaseSeconds: LEASE_SECONDS,
    taskRange: [firstTaskId, firstTaskId + BigInt(TASKS)],
    turns: null,
  } as const;

  before(async () => {
    databases = await createMigratedDatabases();
    const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 30 };
    storage = await openStorage({
      settings,
      connections: 2,
      log: createLog({ level: 'error', fields: { role: 'test' } }),
    });
    db = storage.shards.dbFor(0);
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  async function sqlRows(): Promise<ExpansionRow[]> {
    return db.query<ExpansionRow>(
      `select task_id as "taskId", bucket, after_id as "afterId", last_bucket as "lastBucket", last_id as "lastId",
              app_id as "appId", lane, state, epoch, extract(epoch from next_at)::float8 * 1000 as "nextAt", cancelled,
              coalesce(failures, 0) as failures
         from expansions
        where task_id = any($1)
        order by 1, 2, 3`,
      [taskIds],
    );
  }

  test(`have the same results after each of ${STEPS} random steps`, async () => {
    const random = randomFrom(23);
    const simulated = new SimulatedShard();
    const inSql: Functions = { ...sql, ...sqlCancel, ...sqlLostTasks, ...sqlSlices, ...sqlFailedWork };
    const inModel: Functions = { ...model, ...modelCancel, ...modelLostTasks, ...modelSlices, ...modelFailedWork };
    const seen = new Set<string>();
    let claimed: sql.ClaimedExpansion[] = [];

    /** Runs the same step on both, and compares the results and then the rows. */
    const runBoth = async <T>(name: string, run: (functions: Functions, target: ShardDb) => Promise<T>): Promise<T> => {
      const [clock] = await db.query<{ now: number }>('select extract(epoch from now())::float8 * 1000 as now');
      simulated.scheduler.now = (clock as { now: number }).now;
      const result = await run(inSql, db);
      assert.deepEqual(await simulated.run(() => run(inModel, simulated.db)), result, name);
      const actual = await sqlRows();
      const expected = [...shardRows(simulated.db).expansions.values()].sort(compareRows);
      assert.deepEqual(actual.map(withoutTime), expected.map(withoutTime), name);
      actual.forEach(({ nextAt }, i) => {
        const due = (expected[i] as ExpansionRow).nextAt;
        assert.ok(nextAt === due || Math.abs(nextAt - due) < CLOSE_MS, `${name}: ${nextAt}`);
      });
      return result;
    };

    for (let step = 0; step < STEPS; step++) {
      const taskId = random.pick(taskIds);
      const task = { taskId, appId: 'app', lane: 'bulk' } as const;
      const held = claimed.length > 0 ? random.pick(claimed) : undefined;
      const action = random.pick([
        'plan',
        'claim',
        'renew',
        'complete',
        'complete',
        'end',
        'cancel',
        'wake',
        'list',
        'fail',
      ]);
      if (action === 'plan') {
        const ranges = divideBuckets({ firstBucket: 0, lastBucket: BUCKETS - 1 }, random.between(1, 5));
        const expansions = ranges.map((range) => sql.expansionOf(task, range));
        assert.deepEqual(
          ranges.map((range) => model.expansionOf(task, range)),
          expansions,
        );
        const done = random.chance(0.1);
        await runBoth('plan', (functions, target) => functions.planExpansions(target, expansions, { done }));
      } else if (action === 'list' && step % 5 === 0) {
        const expansion = sql.expansionOf(task, { firstBucket: 0, lastBucket: BUCKETS - 1 });
        const slices = await runBoth('list', async (functions, target) =>
          (await functions.expandLists(target, [expansion], [sliceOf(task, 0)])).map(({ placeCount }) => placeCount),
        );
        seen.add(slices.length > 0 ? 'list expanded' : 'list repeated');
      } else if (action === 'claim') {
        claimed = await runBoth('claim', async (functions, target) => {
          const rows = await functions.claimExpansions(target, claim);
          return rows.map(pickClaimed).sort(compareRows);
        });
      } else if (held && action === 'renew') {
        await runBoth('renew', (functions, target) => functions.renewExpansion(target, held, LEASE_SECONDS));
      } else if (held && action === 'complete') {
        const upTo = random.chance(0.6) ? positionWithin(held, random.next()) : undefined;
        const end = await runBoth('complete', (functions, target) =>
          functions.completeExpansion(target, held, upTo, (tx) =>
            functions.insertUnclaimedSlices(tx, [sliceOf(held, held.bucket)]),
          ),
        );
        seen.add(upTo ? `split ${end}` : `completed ${end}`);
      } else if (held && action === 'end') {
        seen.add(`ended ${await runBoth('end', (functions, target) => functions.endExpansion(target, held))}`);
      } else if (held && action === 'fail') {
        const failure = { error: 'broken', pausesSeconds: [100] };
        const failures = await runBoth('fail', (functions, target) =>
          functions.recordExpansionFailure(target, held, failure),
        );
        seen.add(failures === undefined ? 'failed lost' : 'failed');
      } else if (action === 'cancel' && random.chance(0.3)) {
        await runBoth('cancel', (functions, target) => functions.cancelTaskInShards(target, taskId));
      } else if (action === 'wake') {
        // Ends leases, so that expansions are claimed again.
        await db.query('update expansions set next_at = now() where task_id = any($1)', [taskIds]);
        const table = shardRows(simulated.db).expansions;
        for (const [key, row] of table) table.set(key, { ...row, nextAt: simulated.scheduler.now - CLOSE_MS / 2 });
      }
      const progress = await runBoth('progress', async (functions, target) =>
        (await functions.findShardProgress(target, taskIds)).sort((a, b) => (a.taskId < b.taskId ? -1 : 1)),
      );
      await runBoth('progress of slices', async (functions, target) =>
        (await functions.findSliceProgress(target, taskIds)).sort((a, b) => (a.taskId < b.taskId ? -1 : 1)),
      );
      for (const { hasOpenExpansion, hasOpenSlice } of progress) seen.add(`open ${hasOpenExpansion} ${hasOpenSlice}`);
      const planned = progress.map((row) => row.taskId);
      assert.deepEqual(findMisplannedTasks(await sqlRows(), planned), []);
      if (random.chance(0.02)) await restart(simulated);
    }
    const expectedEvents = [
      ...['split done', 'split lost', 'split cancelled', 'completed done', 'completed lost', 'completed cancelled'],
      ...['ended done', 'ended lost', 'ended cancelled', 'list expanded', 'list repeated', 'failed', 'failed lost'],
      ...['open true true', 'open true false', 'open false true', 'open false false'],
    ];
    assert.deepEqual(
      expectedEvents.filter((name) => !seen.has(name)),
      [],
    );
  });

  /** Deletes everything, so that the tasks are planned again. */
  async function restart(simulated: SimulatedShard): Promise<void> {
    for (const table of ['expansions', 'slices', 'slice_targets'])
      await db.query(`delete from ${table} where task_id = any($1)`, [taskIds]);
    shardRows(simulated.db).expansions.clear();
    simulated.database.slices.clear();
    simulated.database.slicesOfTask.clear();
  }

  /** Plans one range for a task that no other test uses, and claims it. */
  async function claimRange(taskId: bigint): Promise<sql.ClaimedExpansion> {
    const task = { taskId, appId: 'app', lane: 'bulk' } as const;
    await sql.planExpansions(db, [sql.expansionOf(task, { firstBucket: 0, lastBucket: 9 })], { done: false });
    const [held] = await sql.claimExpansions(db, { ...claim, taskRange: [taskId, taskId] });
    return held as sql.ClaimedExpansion;
  }

  const marksOf = (taskId: bigint): Promise<{ bucket: number; state: string; cancelled: boolean }[]> =>
    db.query('select bucket, state, cancelled from expansions where task_id = $1 order by bucket', [taskId]);

  /** Waits until another session waits for a row that this transaction has locked. */
  async function waitForLock(tx: ShardDb): Promise<void> {
    for (let i = 0; i < 500; i++) {
      const waiting = await tx.query(
        'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
      );
      if (waiting.length > 0) return;
      await sleep(10);
    }
    throw new Error('No session waits for a lock.');
  }

  const POSITION = { bucket: 4, id: 5n };

  test('a cancel marks the rest of a range for whose split it has waited', async () => {
    const held = await claimRange(firstTaskId + 100n);
    let cancelling: Promise<void> | undefined;
    const end = await sql.completeExpansion(db, held, POSITION, async (tx) => {
      await tx.query('select from expansions where task_id = $1 for update', [held.taskId]);
      cancelling = sqlCancel.cancelTaskInShards(db, held.taskId);
      await waitForLock(tx);
    });
    assert.equal(end, 'done');
    await cancelling;
    assert.deepEqual(await marksOf(held.taskId), [
      { bucket: 0, state: 'done', cancelled: false },
      { bucket: POSITION.bucket, state: 'ready', cancelled: true },
    ]);
  });

  test('a split that has waited for a cancel is rolled back', async () => {
    const held = await claimRange(firstTaskId + 101n);
    let splitting: Promise<sql.ExpansionEnd> | undefined;
    await inTransaction(db, async (tx) => {
      await tx.query('update expansions set cancelled = true where task_id = $1', [held.taskId]);
      splitting = sql.completeExpansion(db, held, POSITION, async () => undefined);
      await waitForLock(tx);
    });
    assert.equal(await splitting, 'cancelled');
    assert.deepEqual(await marksOf(held.taskId), [{ bucket: 0, state: 'leased', cancelled: true }]);
    assert.equal(await sql.endExpansion(db, held), 'cancelled');
  });

  test('a split that has waited for another claim is rolled back', async () => {
    const held = await claimRange(firstTaskId + 102n);
    let splitting: Promise<sql.ExpansionEnd> | undefined;
    await inTransaction(db, async (tx) => {
      await tx.query('update expansions set epoch = epoch + 1 where task_id = $1', [held.taskId]);
      splitting = sql.completeExpansion(db, held, POSITION, async () => undefined);
      await waitForLock(tx);
    });
    assert.equal(await splitting, 'lost');
    assert.deepEqual(await marksOf(held.taskId), [{ bucket: 0, state: 'leased', cancelled: false }]);
  });
});

const sliceOf = ({ taskId }: { readonly taskId: bigint }, bucket: number): sqlSlices.NewSlice => ({
  ...{ taskId, bucket, appId: 'app', channel: 'fcm', lane: 'bulk', state: 'ready', dueInMs: 0, tried: [] },
  ...{ nativeSlice: null, status: Buffer.alloc(1), placeCount: 1, generations: '1', deviceIds: '4096' },
});

/** Returns a position inside a range, which is as far from its start as the fraction says. */
function positionWithin(range: sql.NewExpansion, fraction: number): { bucket: number; id: bigint } {
  const bucket = range.bucket + Math.floor(fraction * (range.lastBucket - range.bucket + 1));
  const afterId = bucket === range.bucket ? range.afterId : 0n;
  return { bucket, id: afterId + BigInt(1 + Math.floor(fraction * 1_000)) };
}

const pickClaimed = (row: sql.ClaimedExpansion): sql.ClaimedExpansion => {
  const { taskId, bucket, afterId, lastBucket, lastId, appId, lane, epoch, cancelled } = row;
  return { taskId, bucket, afterId, lastBucket, lastId, appId, lane, epoch, cancelled };
};

const withoutTime = ({ nextAt: _nextAt, ...row }: ExpansionRow): Omit<ExpansionRow, 'nextAt'> => row;

const compareRows = (a: sql.NewExpansion, b: sql.NewExpansion): number =>
  Number(a.taskId - b.taskId) || a.bucket - b.bucket || Number(a.afterId - b.afterId);
