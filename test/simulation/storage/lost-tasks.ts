import type * as real from '#src/storage/ledger/lost-tasks.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { homeRows } from './rows.ts';

export const findSliceProgress: typeof real.findSliceProgress = (db, taskIds) =>
  read(db, 'findSliceProgress', () =>
    taskIds.flatMap((taskId) => {
      const rows = simulatedDatabaseOf(db).taskSlices(taskId);
      if (rows.length === 0) return [];
      return [{ taskId, hasOpenExpansion: false, hasOpenSlice: rows.some(({ state }) => state !== 'closed') }];
    }),
  );

/** A simulation has no retention, so no task has final counts. */
export const replanTasks: typeof real.replanTasks = (db, taskIds) =>
  write(db, `replanTasks ${taskIds.join(' ')}`, () => {
    const database = simulatedDatabaseOf(db);
    const table = homeRows(db).tasks;
    return taskIds.flatMap((taskId) => {
      const row = table.get(taskId);
      if (row?.state !== 'planned') return [];
      const isReplanned = row.cancelledAt === null && row.task.notAfter.getTime() > database.now;
      if (isReplanned)
        database.put(table, taskId, { ...row, state: 'accepted', epoch: row.epoch + 1, nextAt: database.now });
      return [{ taskId, isReplanned }];
    });
  });
