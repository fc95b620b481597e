import type * as real from '#src/storage/ledger/cancel.ts';
import { read, storageOf, write } from './database.ts';
import { expansionKey } from './expansions.ts';
import { homeRows, shardRows } from './rows.ts';

export const cancelTask: typeof real.cancelTask = (db, taskId) =>
  write(db, 'cancelTask', () => {
    const storage = storageOf(db);
    const table = homeRows(db).tasks;
    const row = table.get(taskId);
    if (!row || row.state === 'finished') return false;
    storage.put(table, taskId, { ...row, cancelledAt: row.cancelledAt ?? storage.now });
    return true;
  });

export const findCancelled: typeof real.findCancelled = (db, taskIds) =>
  read(db, 'findCancelled', () =>
    taskIds.filter((taskId) => (homeRows(db).tasks.get(taskId)?.cancelledAt ?? null) !== null),
  );

export const cancelShard: typeof real.cancelShard = (db, taskId) =>
  write(db, `cancelShard ${taskId}`, () => {
    const storage = storageOf(db);
    const table = shardRows(db).expansions;
    for (const row of table.values()) {
      if (row.taskId !== taskId || row.state === 'done') continue;
      const nextAt = row.state === 'leased' ? row.nextAt : Math.min(row.nextAt, storage.now);
      storage.put(table, expansionKey(row), { ...row, cancelled: true, nextAt });
    }
    for (const row of storage.taskSlices(taskId))
      if (row.state !== 'closed' && !row.cancelled) storage.putSlice(storage.rules.markCancelled(row, storage.now));
  });

/** No app is shut here: to the worker its tasks are tasks that somebody cancelled. */
export const findShutApps: typeof real.findShutApps = async () => [];
export const cancelOpenTasks: typeof real.cancelOpenTasks = async () => 0;
