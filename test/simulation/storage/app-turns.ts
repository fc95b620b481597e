import type * as real from '#src/storage/ledger/app-turns.ts';
import { storageOf } from './database.ts';
import { homeRows, shardRows } from './rows.ts';

export const findDueApps: typeof real.findDueApps = async (db, of, lane) => {
  const storage = storageOf(db);
  const apps = await storage.take(`findDueApps ${of}`, () => {
    const { now, slices } = storage;
    const rows =
      of === 'tasks'
        ? [...homeRows(db as never).tasks.values()].map((row) => ({
            ...row,
            ...row.task,
            open: row.state === 'accepted',
          }))
        : of === 'slices'
          ? [...slices.values()].map((row) => ({ ...row, open: row.state !== 'closed' }))
          : [...shardRows(db as never).expansions.values()].map((row) => ({ ...row, open: row.state !== 'done' }));
    const due = rows.filter((row) => row.open && row.lane === lane && row.nextAt <= now);
    return [...new Set(due.map(({ appId }) => appId))];
  });
  return [...apps];
};
