import { sliceKeyText } from '#src/domain/slice.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type * as real from '#src/storage/ledger/cancel.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { expansionKey } from './expansions.ts';
import { homeRows, shardRows } from './rows.ts';

export const cancelTask: typeof real.cancelTask = (db, taskId) =>
  write(db, 'cancelTask', () => {
    const database = simulatedDatabaseOf(db);
    const table = homeRows(db).tasks;
    const row = table.get(taskId);
    if (!row || row.state === 'finished') return false;
    const nextAt = row.nextAt === Number.POSITIVE_INFINITY ? database.now : row.nextAt;
    database.put(table, taskId, { ...row, cancelledAt: row.cancelledAt ?? database.now, nextAt });
    return true;
  });

export const findCancelledTasks: typeof real.findCancelledTasks = (db, taskIds) =>
  read(db, 'findCancelledTasks', () =>
    taskIds.filter((taskId) => (homeRows(db).tasks.get(taskId)?.cancelledAt ?? null) !== null),
  );

export const findCancelMarks: typeof real.findCancelMarks = (db, taskIds) =>
  read(db, 'findCancelMarks', () =>
    taskIds.flatMap((taskId) => {
      const row = homeRows(db).tasks.get(taskId);
      return row ? [{ taskId, cancelled: row.cancelledAt !== null }] : [];
    }),
  );

/** Far more rounds than a simulation needs. */
const ROUNDS_MAX = 100;

export const cancelTaskInShards: typeof real.cancelTaskInShards = async (db, taskId) => {
  const { rules, hooks } = simulatedDatabaseOf(db);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const isMarked = await read(db, `findUncancelled ${taskId}`, () => {
      const isComplete = openExpansionKeys(db, taskId).length === 0 && openSliceKeys(db, taskId).length === 0;
      const isSkipped = rules.marksCancelOnce && round > 0;
      if (isComplete || isSkipped) hooks.cancelled(db, taskId);
      return isComplete || isSkipped;
    });
    if (isMarked) return;
    if (round > 0) hooks.observed('cancel marked again');
    await cancelExpansions(db, taskId);
    await cancelSlices(db, taskId);
  }
  throw new Error(`Task ${taskId} was cancelled, but new slices are still being created for it.`);
};

/**
 * The keys are read when the statement begins, and the rows when it is executed. In the same way, a statement that waits
 * for another transaction does not see the rows that the other transaction inserts.
 */
async function cancelExpansions(db: ShardDb, taskId: bigint): Promise<void> {
  const keys = openExpansionKeys(db, taskId);
  const table = shardRows(db).expansions;
  await waitForLock(db, () => keys.some((key) => table.get(key)?.state === 'leased'));
  await write(db, `cancelExpansions ${taskId}`, () => {
    const database = simulatedDatabaseOf(db);
    for (const key of keys) {
      const row = table.get(key);
      if (!row || row.state === 'done' || row.cancelled) continue;
      const nextAt = row.state === 'leased' ? row.nextAt : Math.min(row.nextAt, database.now);
      database.put(table, key, { ...row, cancelled: true, nextAt });
    }
  });
}

async function cancelSlices(db: ShardDb, taskId: bigint): Promise<void> {
  const database = simulatedDatabaseOf(db);
  const keys = openSliceKeys(db, taskId);
  await waitForLock(db, () => keys.some((key) => database.slices.get(key)?.state === 'leased'));
  await write(db, `cancelSlices ${taskId}`, () => {
    for (const key of keys) {
      const row = database.slices.get(key);
      if (row && row.state !== 'closed' && !row.cancelled)
        database.putSlice(database.rules.markCancelled(row, database.now));
    }
  });
}

/** Maximum time for which a transaction locks the row of its expansion or slice. */
const LOCKED_MS_MAX = 1_000;

/** Half of the statements wait while workers hold rows, as if their transactions had already locked these rows. */
async function waitForLock(db: ShardDb, isHeld: () => boolean): Promise<void> {
  const { scheduler } = simulatedDatabaseOf(db);
  if (!scheduler.random.chance(0.5)) return;
  for (let waitedMs = 0; isHeld() && waitedMs < LOCKED_MS_MAX; waitedMs += 50)
    await scheduler.step('waits for a row lock', 50);
}

/** Returns the keys of the expansions that are neither done nor marked as cancelled. */
function openExpansionKeys(db: ShardDb, taskId: bigint): string[] {
  const rows = [...shardRows(db).expansions.values()];
  return rows.filter((row) => row.taskId === taskId && row.state !== 'done' && !row.cancelled).map(expansionKey);
}

function openSliceKeys(db: ShardDb, taskId: bigint): string[] {
  const rows = simulatedDatabaseOf(db).taskSlices(taskId);
  return rows.filter(({ state, cancelled }) => state !== 'closed' && !cancelled).map(sliceKeyText);
}

/** Apps are never disabled in a simulation. The worker treats the tasks of a disabled app like cancelled tasks. */
export const findDisabledApps: typeof real.findDisabledApps = async () => [];
export const cancelOpenTasks: typeof real.cancelOpenTasks = async () => 0;
