import { isFinished } from '#src/domain/finish.ts';
import type { HomeDb } from '#src/storage/database/database.ts';
import { findShardProgress } from '#src/storage/ledger/expansions.ts';
import * as tasks from '#src/storage/ledger/tasks.ts';
import { simulatedDatabaseOf } from '../simulation/storage/database.ts';
import * as modelExpansions from '../simulation/storage/expansions.ts';
import { homeRows, shardRows, type TaskRow } from '../simulation/storage/rows.ts';
import * as model from '../simulation/storage/tasks.ts';
import { assertClaimable, assertSame, type CreateOperation, LEASE_SECONDS, take } from './operation.ts';

export const claimTasks: CreateOperation = (_random, work) => {
  const claim = {
    lane: 'bulk',
    limit: 10,
    leaseSeconds: LEASE_SECONDS,
    taskRange: work.taskRange,
    turns: null,
  } as const;
  return {
    name: 'claimTasks',
    run: async ({ home }) => void work.tasks.push(...(await tasks.claimTasks(home, claim))),
    *expects() {
      yield {
        skipsLockedOf: 'tasks',
        check: async ({ home, now }, { rows, locked, snapshot }) => {
          const due = [...snapshot.tasks.values()].filter((row) => row.state === 'accepted' && row.nextAt <= now);
          assertClaimable(
            rows.map(({ taskId }) => `${taskId}`),
            due.map(({ task }) => `${task.taskId}`),
            locked,
            claim.limit,
          );
          for (const row of rows) {
            const expected = claimInModel(home, row.taskId, now);
            assertSame([row], [expected], ['epoch', 'cancelled', 'failures'], 'a claimed task');
          }
        },
      };
    },
  };
};

export const planTask: CreateOperation = (random, work) => {
  const held = take(random, work.tasks);
  return (
    held && {
      name: 'markPlanned',
      run: async ({ home }) => void (await tasks.markPlanned(home, [held])),
      *expects() {
        yield {
          check: async ({ home }, { rows }) => {
            const expected = (await model.markPlanned(home, [held])).filter((one) => one !== undefined);
            assertSame(rows, expected, ['taskId', 'cancelled'], 'planned tasks');
          },
        };
      },
    }
  );
};

export const finish: CreateOperation = (_random, work) => {
  const taskIds = [work.plannedTaskId];
  return {
    name: 'finish',
    run: async ({ db, home }) => {
      const progress = await findShardProgress(db, taskIds);
      if (isFinished(progress)) await tasks.markFinished(home, taskIds);
    },
    *expects() {
      const progress = yield {
        check: async ({ db }, { rows }) => {
          const expected = await modelExpansions.findShardProgress(db, taskIds);
          assertSame(rows, expected, ['taskId', 'hasOpenExpansion', 'hasOpenSlice'], 'the progress');
        },
      };
      if (isFinished(progress)) yield { check: ({ home }) => model.markFinished(home, taskIds) };
    },
  };
};

/** Claims one task. The model's own claim would take every due task. */
function claimInModel(home: HomeDb, taskId: bigint, now: number): object {
  const table = homeRows(home).tasks;
  const row = table.get(taskId) as TaskRow;
  const claimed = { ...row, epoch: row.epoch + 1, nextAt: now + LEASE_SECONDS * 1_000 };
  table.set(taskId, claimed);
  return { ...claimed, cancelled: row.cancelledAt !== null };
}

/** Makes the rows of a table due, like time that passes. */
export const wake: CreateOperation = (random, { taskRange }) => {
  const table = random.pick(['slices', 'expansions', 'tasks'] as const);
  return {
    name: 'wake',
    run: async ({ db }) => {
      await db.query(
        `with locked as (
           select ctid, tableoid from ${table} where task_id between $1 and $2 order by task_id for update skip locked
         )
         update ${table} t set next_at = now() from locked l where (t.ctid, t.tableoid) = (l.ctid, l.tableoid)`,
        taskRange,
      );
    },
    *expects() {
      yield {
        skipsLockedOf: table,
        check: async ({ db, home, now }, { locked }) => {
          const rows = {
            slices: simulatedDatabaseOf(db).slices,
            expansions: shardRows(db).expansions,
            tasks: homeRows(home).tasks,
          }[table] as Map<unknown, { readonly nextAt: number }>;
          for (const [key, row] of rows) if (!locked.has(`${key}`)) rows.set(key, { ...row, nextAt: now });
        },
      };
    },
  };
};
