import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SliceKey } from '#src/domain/slice.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import { Receipts } from '#src/receipts/receipts.ts';
import { inTransaction, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { type ClaimedSlice, insertSlices, lockSlice } from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '#src/worker/context.ts';
import { UnrecordedBits } from '#src/worker/pacing/unrecorded-bits.ts';
import { addSentBits } from '#src/worker/send/write-slices.ts';
import { createMigratedDatabases, type TestDatabases } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';

const OTHERS = 100;
const BUCKET = 0;
const OTHERS_MS_MAX = 1_000;
/** PostgreSQL ends a transaction that is idle for 5 s. */
const IDLE_MS = 5_000;
const LATER_MS_MAX = 3_000;

describe('one slice is locked', () => {
  let databases: TestDatabases;
  let storage: Storage;
  let db: ShardDb;
  let warnings: string[];
  let slices: ClaimedSlice[];
  let nextTaskId = firstTaskIdAt(new Date()) + 1n;

  before(async () => {
    databases = await createMigratedDatabases();
    storage = await openStorage({
      settings: { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 },
      connections: 4,
      log: createLog({ level: 'error', fields: { role: 'test' } }),
    });
    db = storage.shards.dbFor(BUCKET);
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  /** Inserts slices with two places each. */
  async function addSlices(count: number): Promise<void> {
    const taskId = nextTaskId++;
    slices = await insertSlices(
      db,
      Array.from({ length: count }, () => ({
        ...{ taskId, bucket: BUCKET, appId: 'app', channel: 'fcm', lane: 'bulk', state: 'leased', dueInMs: 30_000 },
        ...{ tried: [], nativeSlice: null, status: Buffer.alloc(2), placeCount: 2 },
        ...{ deviceIds: '4096,8192', generations: '1,1' },
      })),
    );
  }

  function createReceipts(): Receipts {
    warnings = [];
    const ignore = () => undefined;
    const log = { debug: ignore, info: ignore, warn: (event: string) => warnings.push(event), error: ignore };
    return new Receipts(storage.shards, {
      ...log,
      security: ignore,
      with: () => createLog({ level: 'error', fields: {} }),
    });
  }

  async function countLockWaits(): Promise<number> {
    const rows = await storage.home.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update slices%'`,
    );
    return rows.length;
  }

  async function bitsOf({ taskId, sliceNumber }: SliceKey): Promise<{ sent: string; received: string }> {
    const [row] = await db.query<{ sent: string; received: string }>(
      'select sent::text, received::text from slices where task_id = $1 and bucket = $2 and slice = $3',
      [taskId, BUCKET, sliceNumber],
    );
    return row as { sent: string; received: string };
  }

  test('by a stopped process: 100 others get their receipts within 1 s, and this one after 5 s', async () => {
    await addSlices(OTHERS + 1);
    const [locked, ...others] = slices as [ClaimedSlice, ...ClaimedSlice[]];
    const holder = fork(
      fileURLToPath(new URL('../support/lock-holder.ts', import.meta.url)),
      [`${locked.taskId}`, `${BUCKET}`, `${locked.sliceNumber}`],
      { env: { ...process.env, ...databases.settings } },
    );
    const receipts = createReceipts();
    try {
      await once(holder, 'message');
      holder.kill('SIGSTOP');
      const beganMs = performance.now();
      const record = (slice: ClaimedSlice) => receipts.recordReceived({ ...slice, index: 1 }, 'fcm');
      const recordLocked = record(locked).then(() => performance.now() - beganMs);
      await Promise.all(others.map(record));
      const othersMs = performance.now() - beganMs;
      assert.ok(othersMs < OTHERS_MS_MAX, `the others took ${othersMs} ms`);
      assert.deepEqual(await bitsOf(locked), { sent: '00', received: '00' });
      const lockedMs = await recordLocked;
      console.log(`  the others took ${othersMs.toFixed(0)} ms, the locked slice ${lockedMs.toFixed(0)} ms`);
      assert.ok(lockedMs > IDLE_MS - 2_000 && lockedMs < IDLE_MS + LATER_MS_MAX, `${lockedMs} ms`);
      for (const slice of slices) assert.deepEqual(await bitsOf(slice), { sent: '01', received: '01' });
      assert.deepEqual(warnings, []);

      holder.kill('SIGCONT');
      holder.send('continue');
      const [report] = await once(holder, 'message');
      assert.deepEqual(report, { failure: 'Unavailable', isUsable: true });
    } finally {
      holder.kill('SIGKILL');
      await receipts.stop();
    }
  });

  test('receipts for slices that do not exist, or of another size, are dropped', async () => {
    await addSlices(1);
    const [locked] = slices as [ClaimedSlice];
    const receipts = createReceipts();
    await inTransaction(db, async (tx) => {
      await lockSlice(tx, locked);
      await Promise.all([
        receipts.recordReceived({ ...locked, sliceNumber: locked.sliceNumber + 1_000, index: 0 }, 'fcm'),
        receipts.recordReceived({ ...locked, placeCount: 3, index: 0 }, 'fcm'),
      ]);
    });
    await receipts.stop();
    assert.deepEqual(await bitsOf(locked), { sent: '00', received: '00' });
  });

  test('the sent bits of a worker are added when the lock ends', async () => {
    await addSlices(2);
    const [locked, other] = slices as [ClaimedSlice, ClaimedSlice];
    let adding: Promise<void> | undefined;
    await inTransaction(db, async (tx) => {
      await lockSlice(tx, locked);
      const writes = slices.map((claimed) => ({ claimed, sent: '10' }));
      adding = addSentBits({ storage } as WorkerContext, writes);
      for (;;) if ((await bitsOf(other)).sent === '10') break;
      assert.equal((await bitsOf(locked)).sent, '00');
    });
    await adding;
    assert.equal((await bitsOf(locked)).sent, '10');
  });

  test('sent bits that were kept during an outage: a second write does not return before the first one', async () => {
    await addSlices(1);
    const [slice] = slices as [ClaimedSlice];
    const unrecorded = new UnrecordedBits();
    unrecorded.add(db, [{ ...slice, sent: '10', received: '00' }]);
    unrecorded.add(db, [{ ...slice, sent: '01', received: '00' }]);
    let writes: Promise<PromiseSettledResult<{ sent: string }>[]> | undefined;
    await inTransaction(db, async (tx) => {
      await tx.query('lock table slices in share mode');
      const write = async () => {
        await unrecorded.write(db);
        return bitsOf(slice);
      };
      writes = Promise.allSettled([write(), write()]);
      await eventually(async () => assert.equal(await countLockWaits(), 2));
    });
    // The second write fails if it finds the row locked by the first one. It must not succeed before the bits are written.
    const ends = (await writes) ?? [];
    assert.ok(ends.some(({ status }) => status === 'fulfilled'));
    for (const end of ends)
      if (end.status === 'fulfilled') assert.equal(end.value.sent, '11');
      else assert.match(end.reason.message, /could not be written yet/);
    await unrecorded.write(db);
    assert.deepEqual(unrecorded.databases, []);
  });

  test('sent bits that were kept during an outage: those of a locked slice are kept longer', async () => {
    await addSlices(2);
    const [locked, other] = slices as [ClaimedSlice, ClaimedSlice];
    const unrecorded = new UnrecordedBits();
    unrecorded.add(
      db,
      slices.map((slice) => ({ ...slice, sent: '10', received: '00' })),
    );
    await inTransaction(db, async (tx) => {
      await lockSlice(tx, locked);
      await assert.rejects(unrecorded.write(db), /1 slices/);
      assert.equal((await bitsOf(other)).sent, '10');
    });
    await unrecorded.write(db);
    assert.equal((await bitsOf(locked)).sent, '10');
    assert.deepEqual(unrecorded.databases, []);
  });

  test('a process that stops writes the receipts when the lock ends', async () => {
    await addSlices(1);
    const [locked] = slices as [ClaimedSlice];
    const receipts = createReceipts();
    let stopping: Promise<void> | undefined;
    await inTransaction(db, async (tx) => {
      await lockSlice(tx, locked);
      receipts.addReceived({ ...locked, index: 0 });
      stopping = receipts.stop();
    });
    await stopping;
    assert.deepEqual(await bitsOf(locked), { sent: '10', received: '10' });
  });
});
