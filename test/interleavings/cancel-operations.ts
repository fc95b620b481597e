import assert from 'node:assert/strict';
import * as cancels from '#src/storage/ledger/cancel.ts';
import * as modelCancels from '../simulation/storage/cancel.ts';
import { simulatedDatabaseOf } from '../simulation/storage/database.ts';
import { shardRows } from '../simulation/storage/rows.ts';
import type { CreateOperation } from './operation.ts';
import type { ModelDatabases, Tables } from './oracle.ts';

export const cancelTask: CreateOperation = (_random, { plannedTaskId }) => ({
  name: 'cancelTask',
  run: async ({ home }) => void (await cancels.cancelTask(home, plannedTaskId)),
  *expects() {
    yield {
      check: async ({ home }, { rows }) => {
        assert.equal(rows.length > 0, await modelCancels.cancelTask(home, plannedTaskId));
      },
    };
  },
});

export const cancelTaskInShards: CreateOperation = (_random, { plannedTaskId }) => ({
  name: 'cancelTaskInShards',
  run: ({ db }) => cancels.cancelTaskInShards(db, plannedTaskId),
  *expects() {
    for (;;) {
      const [open] = yield {
        check: async (_model, { rows, snapshot }) => {
          const expected = {
            expansions: openExpansionKeys(snapshot, plannedTaskId).length > 0,
            slices: openSliceKeys(snapshot, plannedTaskId).length > 0,
          };
          assert.deepEqual(rows, [expected]);
        },
      };
      if (!open.expansions && !open.slices) return;
      yield { check: async (model, { snapshot }) => markExpansions(model, openExpansionKeys(snapshot, plannedTaskId)) };
      yield { check: async (model, { snapshot }) => markSlices(model, openSliceKeys(snapshot, plannedTaskId)) };
    }
  },
});

/** A statement marks only rows of its snapshot, even if it has waited for a transaction that inserted others. */
function markExpansions({ db, now }: ModelDatabases, keys: readonly string[]): void {
  const table = shardRows(db).expansions;
  for (const key of keys) {
    const row = table.get(key);
    if (!row || row.state === 'done' || row.cancelled) continue;
    const nextAt = row.state === 'leased' ? row.nextAt : Math.min(row.nextAt, now);
    table.set(key, { ...row, cancelled: true, nextAt });
  }
}

function markSlices({ db, now }: ModelDatabases, keys: readonly string[]): void {
  const { slices, rules } = simulatedDatabaseOf(db);
  for (const key of keys) {
    const row = slices.get(key);
    if (row && row.state !== 'closed' && !row.cancelled) slices.set(key, rules.markCancelled(row, now));
  }
}

function openExpansionKeys({ expansions }: Tables, taskId: bigint): string[] {
  return [...expansions]
    .filter(([, row]) => row.taskId === taskId && row.state !== 'done' && !row.cancelled)
    .map(([key]) => key);
}

function openSliceKeys({ slices }: Tables, taskId: bigint): string[] {
  return [...slices]
    .filter(([, row]) => row.taskId === taskId && row.state !== 'closed' && !row.cancelled)
    .map(([key]) => key);
}
