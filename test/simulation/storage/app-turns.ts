import type * as real from '#src/storage/ledger/app-turns.ts';
import { simulatedDatabaseOf } from './database.ts';
import { homeRows, shardRows } from './rows.ts';

export const findDueApps: typeof real.findDueApps = async (db, kind, lane) => {
  const database = simulatedDatabaseOf(db);
  const apps = await database.claim(`findDueApps ${kind}`, () => {
    const { now, slices } = database;
    const rows =
      kind === 'tasks'
        ? [...homeRows(db as never).tasks.values()].map((row) => ({
            ...row,
            ...row.task,
            open: row.state === 'accepted',
          }))
        : kind === 'slices'
          ? [...slices.values()].map((row) => ({ ...row, open: row.state !== 'closed' }))
          : [...shardRows(db as never).expansions.values()].map((row) => ({ ...row, open: row.state !== 'done' }));
    const due = rows.filter((row) => row.open && row.lane === lane && row.nextAt <= now);
    return [...new Set(due.map(({ appId }) => appId))];
  });
  return [...apps];
};
