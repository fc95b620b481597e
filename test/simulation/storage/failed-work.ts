import { sliceKeyText } from '#src/domain/slice.ts';
import type * as real from '#src/storage/ledger/failed-work.ts';
import { simulatedDatabaseOf, write } from './database.ts';
import { expansionKey } from './expansions.ts';
import { homeRows, shardRows } from './rows.ts';

/** Returns the due time after a number of failures. */
const dueAfter = (now: number, failures: number, { pausesSeconds }: real.Failure): number =>
  now + (pausesSeconds[failures - 1] ?? Number.POSITIVE_INFINITY) * 1_000;

export const recordTaskFailure: typeof real.recordTaskFailure = (db, { taskId, epoch }, failure) =>
  write(db, 'recordTaskFailure', () => {
    const database = simulatedDatabaseOf(db);
    const table = homeRows(db).tasks;
    const row = table.get(taskId);
    if (row?.epoch !== epoch || row.state !== 'accepted') return undefined;
    const failures = row.failures + 1;
    const nextAt = dueAfter(database.now, failures, failure);
    database.put(table, taskId, { ...row, epoch: epoch + 1, failures, nextAt });
    return failures;
  });

export const recordExpansionFailure: typeof real.recordExpansionFailure = (db, claim, failure) =>
  write(db, 'recordExpansionFailure', () => {
    const database = simulatedDatabaseOf(db);
    const table = shardRows(db).expansions;
    const row = table.get(expansionKey(claim));
    if (row?.epoch !== claim.epoch || row.state !== 'leased') return undefined;
    const failures = row.failures + 1;
    const nextAt = dueAfter(database.now, failures, failure);
    database.put(table, expansionKey(claim), { ...row, state: 'ready', epoch: row.epoch + 1, failures, nextAt });
    return failures;
  });

export const recordSliceFailure: typeof real.recordSliceFailure = (db, claim, { pausesSeconds }) =>
  write(db, `recordSliceFailure ${sliceKeyText(claim)}`, () => {
    const database = simulatedDatabaseOf(db);
    const row = database.slices.get(sliceKeyText(claim));
    const after = row && database.rules.recordFailure(row, claim.epoch, pausesSeconds, database.now);
    if (after) database.putSlice(after);
    return after?.failures;
  });
