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
    database.put(table, taskId, { ...row, cancelledAt: row.cancelledAt ?? database.now });
    return true;
  });

export const findCancelledTasks: typeof real.findCancelledTasks = (db, taskIds) =>
  read(db, 'findCancelledTasks', () =>
    taskIds.filter((taskId) => (homeRows(db).tasks.get(taskId)?.cancelledAt ?? null) !== null),
  );

export const cancelTaskInShards: typeof real.cancelTaskInShards = (db, taskId) =>
  write(db, `cancelTaskInShards ${taskId}`, () => {
    const database = simulatedDatabaseOf(db);
    const table = shardRows(db).expansions;
    for (const row of table.values()) {
      if (row.taskId !== taskId || row.state === 'done') continue;
      const nextAt = row.state === 'leased' ? row.nextAt : Math.min(row.nextAt, database.now);
      database.put(table, expansionKey(row), { ...row, cancelled: true, nextAt });
    }
    for (const row of database.taskSlices(taskId))
      if (row.state !== 'closed' && !row.cancelled) database.putSlice(database.rules.markCancelled(row, database.now));
  });

/** Apps are never disabled in a simulation. The worker treats the tasks of a disabled app like cancelled tasks. */
export const findDisabledApps: typeof real.findDisabledApps = async () => [];
export const cancelOpenTasks: typeof real.cancelOpenTasks = async () => 0;
