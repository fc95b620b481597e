import assert from 'node:assert/strict';
import { noBits } from '#src/domain/bits.ts';
import { isOpen, placeStatus, type SliceKey, type SliceState, sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { recordSliceFailure } from '#src/storage/ledger/failed-work.ts';
import { markSlices, type SliceBits } from '#src/storage/ledger/mark-slices.ts';
import * as slices from '#src/storage/ledger/slices.ts';
import type { WorkerContext } from '#src/worker/context.ts';
import { cancelledWrite } from '#src/worker/send/cancel.ts';
import { commitHandOver } from '#src/worker/send/hand-over.ts';
import type { Random } from '../simulation/environment/random.ts';
import { simulatedDatabaseOf } from '../simulation/storage/database.ts';
import * as modelFailedWork from '../simulation/storage/failed-work.ts';
import * as model from '../simulation/storage/slices.ts';
import type { Expectation } from './controlled-connection.ts';
import { assertClaimable, assertSame, type CreateOperation, FAILURE, LEASE_SECONDS, take } from './operation.ts';

const CLAIM_FIELDS = [
  'taskId',
  'bucket',
  'sliceNumber',
  'epoch',
  'channel',
  'attempts',
  'cancelled',
  'failures',
  'status',
  'sent',
  'received',
];

export const claimSlices: CreateOperation = (random, work) => {
  const limit = random.pick([1, 1_000]);
  const claim = { lane: 'bulk', limit, leaseSeconds: LEASE_SECONDS, taskRange: work.taskRange, turns: null } as const;
  return {
    name: 'claimSlices',
    run: async ({ db }) => void work.slices.push(...(await slices.claimSlices(db, { ...claim, weightMax: 1_000 }))),
    *expects() {
      yield {
        skipsLockedOf: 'slices',
        check: async ({ db, now }, { rows, locked, snapshot }) => {
          const due = [...snapshot.slices.values()].filter((row) => row.state !== 'closed' && row.nextAt <= now);
          const claimedKeys = rows.map(sliceKeyText);
          assertClaimable(claimedKeys, due.map(sliceKeyText), locked, limit);
          for (const row of rows) {
            const expected = claimInModel(db, row, now);
            assertSame([row], [expected], CLAIM_FIELDS, 'a claimed slice');
          }
        },
      };
    },
  };
};

export const writeSlices: CreateOperation = (random, work) => {
  const claims = takeOneOrTwo(random, work.slices);
  if (claims.length === 0) return undefined;
  const writes = claims.map((claimed) => {
    const state = random.pick<SliceState>(['leased', 'ready', 'awaiting', 'waiting', 'closed']);
    const status = randomStatus(random, claimed.status);
    const sent = Array.from(status, () => random.below(2)).join('');
    return { claimed, status, sent, state, dueInMs: random.pick([0, 60_000]), attempts: 1 };
  });
  return {
    name: 'writeSlices',
    run: async ({ db }) => {
      await slices.writeSlices(db, writes);
      for (const { claimed, state, status } of writes) if (state === 'leased') work.slices.push({ ...claimed, status });
    },
    *expects() {
      yield expectWrite(writes);
    },
  };
};

/** Takes claims of one or two different slices, in any order. */
function takeOneOrTwo(random: Random, claims: slices.ClaimedSlice[]): slices.ClaimedSlice[] {
  const first = take(random, claims);
  if (!first) return [];
  const others = claims.filter((claim) => sliceKeyText(claim) !== sliceKeyText(first));
  if (others.length === 0 || random.chance(0.5)) return [first];
  const second = random.pick(others);
  claims.splice(claims.indexOf(second), 1);
  return [first, second];
}

const expectWrite = (writes: readonly slices.SliceWrite[]): Expectation => ({
  check: async ({ db }, { rows }) => {
    const expected = await model.writeSlices(db, writes);
    assertSame(rows, expected, ['taskId', 'bucket', 'sliceNumber', 'received', 'cancelled'], 'written slices');
  },
});

function randomStatus(random: Random, before: Uint8Array): Buffer {
  const { attempting, retrying, waiting, sent, failed, fellBack } = placeStatus;
  const statuses = [attempting, retrying, waiting, sent, failed, fellBack];
  return Buffer.from(before.map((status) => (isOpen(status) ? random.pick(statuses) : status)));
}

export const mark: CreateOperation = (random, work) => {
  const known = random.chance(0.5) ? work.firstSlices : work.firstSlices.slice(0, 1);
  const marks = known.map(({ taskId, bucket, sliceNumber, placeCount }): SliceBits => {
    const bits = () => Array.from({ length: placeCount }, () => (random.chance(0.5) ? 1 : 0)).join('');
    const received = bits();
    const clicked = random.chance(0.5) ? received : undefined;
    return { taskId, bucket, sliceNumber, sent: bits(), received, clicked };
  });
  const KEY = ['taskId', 'bucket', 'sliceNumber'];
  return {
    name: 'markSlices',
    run: async ({ db }) => void (await markSlices(db, random.chance(0.5) ? marks : marks.toReversed())),
    *expects() {
      const unmarked = yield {
        skipsLockedOf: 'slices',
        check: async ({ db }, { rows, locked }) => {
          const isLocked = (one: SliceBits) => locked.has(sliceKeyText(one));
          assertSame(rows, marks.filter(isLocked), KEY, 'slices that were not marked');
          await model.markSlices(
            db,
            marks.filter((one) => !isLocked(one)),
          );
        },
      };
      if (unmarked.length > 0)
        yield { check: async (_model, { rows }) => assertSame(rows, unmarked, KEY, 'slices to mark again') };
    },
  };
};

export const release: CreateOperation = (random, work) => {
  const held = take(random, work.slices);
  return (
    held && {
      name: 'releaseSlices',
      run: ({ db }) => slices.releaseSlices(db, [held]),
      *expects() {
        yield { check: ({ db }) => model.releaseSlices(db, [held]) };
      },
    }
  );
};

export const renew: CreateOperation = (random, work) => {
  const held = takeOneOrTwo(random, work.slices);
  if (held.length === 0) return undefined;
  return {
    name: 'renewSlices',
    run: async ({ db }) => {
      await slices.renewSlices(db, held, LEASE_SECONDS);
      work.slices.push(...held);
    },
    *expects() {
      yield {
        skipsLockedOf: 'slices',
        check: async ({ db }, { locked }) => {
          const unlocked = held.filter((claim) => !locked.has(sliceKeyText(claim)));
          await model.renewSlices(db, unlocked, LEASE_SECONDS);
        },
      };
    },
  };
};

export const reclaim: CreateOperation = (random, work) => {
  const held = take(random, work.slices);
  return (
    held && {
      name: 'reclaimSlice',
      run: async ({ db }) => {
        const again = await slices.reclaimSlice(db, held, LEASE_SECONDS);
        if (again) work.slices.push(again);
      },
      *expects() {
        yield {
          check: async ({ db }, { rows }) => {
            const expected = await model.reclaimSlice(db, held, LEASE_SECONDS);
            assertSame(rows, expected ? [expected] : [], CLAIM_FIELDS, 'a slice claimed again');
          },
        };
      },
    }
  );
};

export const failSlice: CreateOperation = (random, work) => {
  const held = take(random, work.slices);
  return (
    held && {
      name: 'recordSliceFailure',
      run: async ({ db }) => void (await recordSliceFailure(db, held, FAILURE)),
      *expects() {
        yield {
          check: async ({ db }, { rows }) => {
            const failures = await modelFailedWork.recordSliceFailure(db, held, FAILURE);
            assert.equal(rows[0]?.failures, failures);
          },
        };
      },
    }
  );
};

export const handOver: CreateOperation = (random, work) => {
  const slice = take(random, work.slices);
  if (!slice) return undefined;
  const toInbox = slice.nativeSlice !== null;
  const channel = toInbox ? 'nativepush' : random.pick(['apns', 'huawei'] as const);
  const moving = [...slice.status.keys()].filter((place) => isOpen(slice.status[place] as number));
  const status = Buffer.from(slice.status.map((one) => (isOpen(one) ? placeStatus.fellBack : one)));
  const write: slices.SliceWrite = {
    ...{
      claimed: slice,
      status,
      sent: noBits(slice.placeCount),
      state: 'closed',
      dueInMs: 0,
      attempts: slice.attempts,
    },
  };
  const devices = moving.map((place) => ({
    ...{ deviceId: slice.deviceIds[place] as bigint, generation: slice.generations[place] as number },
    route: { channel, toInbox } as never,
  }));
  const isReturning = toInbox && devices.length > 0;
  const { taskId, bucket } = slice;
  const nativeKey = { taskId, bucket, sliceNumber: slice.nativeSlice as number };
  return {
    name: 'commitHandOver',
    run: async ({ db }) => {
      const context = {
        storage: { shards: { dbFor: () => db } },
        settings: { CARILLON_LEASE_SECONDS: LEASE_SECONDS },
      } as unknown as WorkerContext;
      const moved = await commitHandOver(
        context,
        { slice, task: {} as Task, acquiredAtMs: 0 },
        write,
        devices,
        slice.status,
      );
      for (const child of moved ?? []) work.slices.push(child.slice);
    },
    *expects() {
      let native: Awaited<ReturnType<typeof slices.lockSlice>>;
      if (isReturning) {
        yield {
          check: async ({ db }, { rows }) => {
            native = await model.lockSlice(db, nativeKey);
            assertSame(rows, native ? [native] : [], ['epoch', 'status'], 'the locked slice');
          },
        };
      }
      const [written] = yield expectWrite([write]);
      if (!written) return;
      if (written.cancelled) {
        yield expectWrite([cancelledWrite({ ...write, status: slice.status }, written.received)]);
        return;
      }
      if (isReturning) {
        const reopened = Buffer.from((native as { status: Buffer }).status);
        (native as { deviceIds: bigint[] }).deviceIds.forEach((deviceId, place) => {
          const isMoving = devices.some((device) => device.deviceId === deviceId);
          if (isMoving && reopened[place] === placeStatus.fellBack) reopened[place] = placeStatus.waiting;
        });
        yield { check: ({ db }) => model.reopenSlice(db, nativeKey, reopened) };
      } else if (devices.length > 0)
        yield {
          check: async ({ db, setNextSlice }, { rows }) => {
            setNextSlice(rows[0]?.sliceNumber);
            const { appId, lane } = slice;
            await model.insertSlices(db, [
              {
                ...{
                  taskId,
                  bucket,
                  appId,
                  lane,
                  channel,
                  tried: [...slice.tried, slice.channel],
                  placeCount: devices.length,
                },
                ...{ nativeSlice: slice.channel === 'nativepush' ? slice.sliceNumber : slice.nativeSlice },
                ...{ status: Buffer.alloc(devices.length), state: 'leased', dueInMs: LEASE_SECONDS * 1_000 },
                deviceIds: devices.map(({ deviceId }) => deviceId).join(','),
                generations: devices.map(({ generation }) => generation).join(','),
              },
            ]);
          },
        };
    },
  };
};

/** Claims one slice. The model's own claim would take every due slice. */
function claimInModel(db: ShardDb, key: SliceKey, now: number): object {
  const database = simulatedDatabaseOf(db);
  const row = database.slices.get(sliceKeyText(key));
  assert.ok(row);
  const claimed = database.rules.claim(row, now, LEASE_SECONDS * 1_000);
  database.putSlice(claimed);
  return claimed;
}
