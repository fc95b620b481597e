import { orderByAppTurns } from '#src/domain/app-turns.ts';
import type * as real from '#src/storage/ledger/tasks.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { homeRows, type TaskRow } from './rows.ts';

/** Queries ignore task ranges, because a simulation has no partitions to exclude. */

export const readClock: typeof real.readClock = async (db) => new Date(simulatedDatabaseOf(db).now);

export const claimTasks: typeof real.claimTasks = async (db, { lane, limit, leaseSeconds, turns }) => {
  const database = simulatedDatabaseOf(db);
  const table = homeRows(db).tasks;
  const rows = await database.claim('claimTasks', () => {
    const due: (TaskRow & { readonly appId: string })[] = [];
    for (const row of table.values())
      if (row.state === 'accepted' && row.task.lane === lane && row.nextAt <= database.now)
        due.push({ ...row, appId: row.task.appId });
    const next = orderByAppTurns(due, turns).slice(0, limit);
    return next.map(({ appId: _appId, ...row }) => {
      const claimed = { ...row, epoch: row.epoch + 1, nextAt: database.now + leaseSeconds * 1_000 };
      database.put(table, row.task.taskId, claimed);
      return claimed;
    });
  });
  return rows.map(toClaimedTask);
};

const toClaimedTask = ({ task, epoch, byRange, cancelledAt, failures }: TaskRow): real.ClaimedTask => ({
  ...{ task, epoch, byRange, failures },
  cancelled: cancelledAt !== null,
});

export const reclaimTask: typeof real.reclaimTask = (db, { task: { taskId }, epoch }, leaseSeconds) =>
  write(db, 'reclaimTask', () => {
    const database = simulatedDatabaseOf(db);
    const table = homeRows(db).tasks;
    const row = table.get(taskId);
    if (row?.epoch !== epoch || row.state !== 'accepted') return undefined;
    const claimed = { ...row, epoch: epoch + 1, nextAt: database.now + leaseSeconds * 1_000 };
    database.hooks.observed('task reclaimed');
    database.put(table, taskId, claimed);
    return toClaimedTask(claimed);
  });

export const decideByRange: typeof real.decideByRange = (db, { task, epoch }, byRange) =>
  write(db, `decideByRange ${byRange}`, () => {
    const table = homeRows(db).tasks;
    const row = table.get(task.taskId);
    if (row?.epoch !== epoch || row.state !== 'accepted' || row.byRange !== null) return false;
    simulatedDatabaseOf(db).put(table, task.taskId, { ...row, byRange });
    return true;
  });

export const findTasks: typeof real.findTasks = (db, taskIds) =>
  read(db, 'findTasks', () => taskIds.flatMap((taskId) => homeRows(db).tasks.get(taskId)?.task ?? []));

export const markPlanned: typeof real.markPlanned = (db, claims) =>
  write(db, 'markPlanned', () => {
    const database = simulatedDatabaseOf(db);
    const table = homeRows(db).tasks;
    return claims.map(({ task: { taskId }, epoch }) => {
      const row = table.get(taskId);
      if (row?.epoch !== epoch || row.state !== 'accepted') return undefined;
      database.put(table, taskId, { ...row, state: 'planned', nextAt: database.now + 15_000 });
      return { taskId, cancelled: row.cancelledAt !== null };
    });
  });

export const releaseTasks: typeof real.releaseTasks = (db, claims) =>
  write(db, 'releaseTasks', () => {
    const database = simulatedDatabaseOf(db);
    const table = homeRows(db).tasks;
    for (const { task, epoch } of claims) {
      const row = table.get(task.taskId);
      if (row?.epoch === epoch && row.state === 'accepted')
        database.put(table, task.taskId, { ...row, nextAt: database.now });
    }
  });

export const claimUnfinishedTasks: typeof real.claimUnfinishedTasks = async (db, limit) => {
  const database = simulatedDatabaseOf(db);
  const table = homeRows(db).tasks;
  const rows = await database.claim('claimUnfinishedTasks', () => {
    const due: TaskRow[] = [];
    if (database.rules.ignoresUnfinishedTasks) return due;
    for (const row of table.values())
      if (row.state === 'planned' && row.nextAt <= database.now && due.length < limit) due.push(row);
    for (const row of due) {
      const age = (database.now - row.task.dueAt.getTime()) / 4;
      const nextAt = database.now + Math.min(600_000, Math.max(15_000, age));
      database.put(table, row.task.taskId, { ...row, nextAt });
    }
    return due;
  });
  return rows.map(({ task: { taskId }, byRange }) => ({ taskId, byRange: byRange as boolean }));
};

export const findPlannedTasks: typeof real.findPlannedTasks = (db, taskIds) =>
  read(db, 'findPlannedTasks', () =>
    taskIds.flatMap((taskId) => {
      const row = homeRows(db).tasks.get(taskId);
      return row?.state === 'planned' ? [{ taskId, byRange: row.byRange as boolean }] : [];
    }),
  );

export const markFinished: typeof real.markFinished = (db, taskIds) =>
  write(db, `markFinished ${taskIds.join(' ')}`, () => {
    const table = homeRows(db).tasks;
    for (const taskId of taskIds) {
      const row = table.get(taskId);
      if (row?.state === 'planned') simulatedDatabaseOf(db).put(table, taskId, { ...row, state: 'finished' });
    }
    simulatedDatabaseOf(db).hooks.finished(taskIds);
  });
