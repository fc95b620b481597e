import assert from 'node:assert/strict';
import { BUCKETS } from '#src/domain/bucket.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import * as expansions from '#src/storage/ledger/expansions.ts';
import { recordExpansionFailure } from '#src/storage/ledger/failed-work.ts';
import * as slices from '#src/storage/ledger/slices.ts';
import * as model from '../simulation/storage/expansions.ts';
import * as modelFailedWork from '../simulation/storage/failed-work.ts';
import { type ExpansionRow, shardRows } from '../simulation/storage/rows.ts';
import * as modelSlices from '../simulation/storage/slices.ts';
import { newSlice } from './fixture.ts';
import { APP, assertClaimable, assertSame, type CreateOperation, FAILURE, LEASE_SECONDS, take } from './operation.ts';

export const claimExpansions: CreateOperation = (random, work) => {
  const limit = random.pick([1, 1_000]);
  const claim = { lane: 'bulk', limit, leaseSeconds: LEASE_SECONDS, taskRange: work.taskRange, turns: null } as const;
  return {
    name: 'claimExpansions',
    run: async ({ db }) => void work.expansions.push(...(await expansions.claimExpansions(db, claim))),
    *expects() {
      yield {
        skipsLockedOf: 'expansions',
        check: async ({ db, now }, { rows, locked, snapshot }) => {
          const due = [...snapshot.expansions.values()].filter((row) => row.state !== 'done' && row.nextAt <= now);
          assertClaimable(rows.map(model.expansionKey), due.map(model.expansionKey), locked, limit);
          for (const row of rows) {
            const expected = claimInModel(db, row, now);
            assertSame(
              [row],
              [expected],
              ['taskId', 'bucket', 'afterId', 'lastBucket', 'lastId', 'epoch', 'cancelled'],
              'a claimed expansion',
            );
          }
        },
      };
    },
  };
};

export const completeExpansion: CreateOperation = (random, work) => {
  const held = take(random, work.expansions);
  if (!held) return undefined;
  const upTo = random.chance(0.5) ? positionWithin(held, random.next()) : undefined;
  const slice = newSlice(held.taskId, held.bucket);
  return {
    name: 'completeExpansion',
    run: async ({ db }) =>
      void (await expansions.completeExpansion(db, held, upTo, (tx) => slices.insertUnclaimedSlices(tx, [slice]))),
    *expects() {
      // The inserted slice is invisible to others until the commit. The model inserts it with the second statement.
      const [inserted] = yield { check: async () => undefined };
      yield {
        check: async ({ db, setNextSlice }, { rows: [row] }) => {
          setNextSlice(inserted.sliceNumber);
          const end = await model.completeExpansion(db, held, upTo, (tx) =>
            modelSlices.insertUnclaimedSlices(tx, [slice]),
          );
          assert.equal(row ? (row.cancelled ? 'cancelled' : 'done') : 'lost', end);
        },
      };
    },
  };
};

function positionWithin(range: expansions.NewExpansion, fraction: number): { bucket: number; id: bigint } {
  const bucket = range.bucket + Math.floor(fraction * (range.lastBucket - range.bucket + 1));
  const afterId = bucket === range.bucket ? range.afterId : 0n;
  return { bucket, id: afterId + BigInt(1 + Math.floor(fraction * 1_000)) };
}

export const endExpansion: CreateOperation = (random, work) => {
  const held = take(random, work.expansions);
  return (
    held && {
      name: 'endExpansion',
      run: async ({ db }) => void (await expansions.endExpansion(db, held)),
      *expects() {
        yield {
          check: async ({ db }, { rows: [row] }) => {
            const end = await model.endExpansion(db, held);
            assert.equal(row ? (row.cancelled ? 'cancelled' : 'done') : 'lost', end);
          },
        };
      },
    }
  );
};

export const renewExpansion: CreateOperation = (random, work) => {
  const held = take(random, work.expansions);
  return (
    held && {
      name: 'renewExpansion',
      run: async ({ db }) => {
        await expansions.renewExpansion(db, held, LEASE_SECONDS);
        work.expansions.push(held);
      },
      *expects() {
        yield { check: ({ db }) => model.renewExpansion(db, held, LEASE_SECONDS) };
      },
    }
  );
};

export const failExpansion: CreateOperation = (random, work) => {
  const held = take(random, work.expansions);
  return (
    held && {
      name: 'recordExpansionFailure',
      run: async ({ db }) => void (await recordExpansionFailure(db, held, FAILURE)),
      *expects() {
        yield {
          check: async ({ db }, { rows }) => {
            const failures = await modelFailedWork.recordExpansionFailure(db, held, FAILURE);
            assert.equal(rows[0]?.failures, failures);
          },
        };
      },
    }
  );
};

export const plan: CreateOperation = (random, work) => {
  const taskId = random.pick([work.acceptedTaskId, work.plannedTaskId]);
  const task = { taskId, appId: APP, lane: 'bulk' } as const;
  const middle = random.between(1, BUCKETS - 2);
  const ranges = [
    { firstBucket: 0, lastBucket: middle },
    { firstBucket: middle + 1, lastBucket: BUCKETS - 1 },
  ].map((range) => expansions.expansionOf(task, range));
  return {
    name: 'planExpansions',
    run: ({ db }) => expansions.planExpansions(db, ranges, { done: false }),
    *expects() {
      yield { check: ({ db }) => model.planExpansions(db, ranges, { done: false }) };
    },
  };
};

export const expandList: CreateOperation = (_random, work) => {
  const task = { taskId: work.listTaskId, appId: APP, lane: 'bulk' } as const;
  const expansion = expansions.expansionOf(task, { firstBucket: 0, lastBucket: BUCKETS - 1 });
  const slice = { ...newSlice(work.listTaskId, 0), state: 'leased', dueInMs: LEASE_SECONDS * 1_000 } as const;
  return {
    name: 'expandLists',
    run: async ({ db }) => void work.slices.push(...(await slices.expandLists(db, [expansion], [slice]))),
    *expects() {
      yield {
        check: async ({ db, setNextSlice }, { rows }) => {
          if (rows.length > 0) setNextSlice(rows[0].sliceNumber);
          const inserted = await modelSlices.expandLists(db, [expansion], [slice]);
          assert.equal(rows.length, inserted.length);
        },
      };
    },
  };
};

/** Claims one expansion. The model's own claim would take every due expansion. */
function claimInModel(db: ShardDb, key: expansions.NewExpansion, now: number): object {
  const table = shardRows(db).expansions;
  const row = table.get(model.expansionKey(key));
  assert.ok(row);
  const claimed: ExpansionRow = { ...row, state: 'leased', epoch: row.epoch + 1, nextAt: now + LEASE_SECONDS * 1_000 };
  table.set(model.expansionKey(key), claimed);
  return claimed;
}
