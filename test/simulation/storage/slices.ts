import { inTurns } from '#src/domain/app-turns.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { placeStatus, type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type * as real from '#src/storage/ledger/slices.ts';
import { read, storageOf, write } from './database.ts';
import { putExpansions } from './expansions.ts';
import { shardRows } from './rows.ts';

const BORN_EPOCH = 1;

export const expandLists: typeof real.expandLists = (db, expansions, slices) =>
  write(db, 'expandLists', () => {
    const won = putExpansions(db, expansions, 'done');
    return putSlices(
      db,
      slices.filter(({ taskId }) => won.has(taskId)),
    );
  });

export const insertSlices: typeof real.insertSlices = async (db, slices) =>
  slices.length === 0 ? [] : write(db, 'insertSlices', () => putSlices(db, slices));

export const leaveSlices: typeof real.leaveSlices = async (db, slices) => {
  if (slices.length > 0) await write(db, 'leaveSlices', () => putSlices(db, slices));
};

function putSlices(db: ShardDb, slices: readonly real.NewSlice[]): real.HeldSlice[] {
  const storage = storageOf(db);
  return slices.map(({ state, nextInMs, ...rest }) => {
    const none = '0'.repeat(rest.n);
    const row: SliceRow = {
      ...rest,
      deviceIds: rest.deviceIds.split(',').map(BigInt),
      generations: rest.generations.split(',').map(Number),
      slice: shardRows(db).nextSlice++,
      state,
      epoch: BORN_EPOCH,
      nextAt: storage.now + nextInMs,
      attempts: 0,
      cancelled: false,
      sent: none,
      received: none,
      history: [],
      historyDropped: 0,
    };
    storage.putSlice(row);
    return row;
  });
}

export const claimSlices: typeof real.claimSlices = async (db, { lane, limit, leaseSeconds, turns }) => {
  const storage = storageOf(db);
  const rows = await storage.take('claimSlices', () => {
    const due: SliceRow[] = [];
    for (const row of storage.slices.values())
      if (row.lane === lane && storage.rules.isDue(row, storage.now)) due.push(row);
    const next = inTurns(due, turns).slice(0, limit);
    return next.map((row) => {
      const claimed = storage.rules.claim(row, storage.now, leaseSeconds * 1_000);
      storage.putSlice(claimed);
      return claimed;
    });
  });
  return [...rows];
};

export const writeSlices: typeof real.writeSlices = (db, writes) =>
  writes.length === 0
    ? Promise.resolve([])
    : write(db, `writeSlices ${writes.map(({ held, state }) => `${sliceKeyText(held)} ${state}`).join(' ')}`, () => {
        const storage = storageOf(db);
        return writes.flatMap((one) => {
          const row = storage.slices.get(sliceKeyText(one.held));
          const after = row && storage.rules.writeAsHolder(row, one, storage.now);
          if (!after) return [];
          storage.putSlice({ ...after, status: Buffer.from(after.status) }, one.held.epoch);
          const { taskId, shard, slice, received, cancelled } = after;
          return [{ taskId, shard, slice, received, cancelled }];
        });
      });

export const lockSlice: typeof real.lockSlice = (db, key) =>
  read(db, 'lockSlice', () => {
    const row = storageOf(db).slices.get(sliceKeyText(key));
    return row && { epoch: row.epoch, status: row.status, deviceIds: [...row.deviceIds] };
  });

export const releaseSlices: typeof real.releaseSlices = (db, held) =>
  write(db, `releaseSlices ${held.map(sliceKeyText).join(' ')}`, () => {
    const storage = storageOf(db);
    for (const one of held) {
      const row = storage.slices.get(sliceKeyText(one));
      const after = row && storage.rules.release(row, one.epoch, storage.now);
      if (after) storage.putSlice(after);
    }
  });

export const reopenSlice: typeof real.reopenSlice = (db, key, status) =>
  write(db, 'reopenSlice', () => {
    const storage = storageOf(db);
    const row = storage.slices.get(sliceKeyText(key));
    if (row) storage.putSlice(storage.rules.reopen(row, status, storage.now));
  });

export const markSlices: typeof real.markSlices = (db, marks) =>
  marks.length === 0
    ? Promise.resolve()
    : write(db, `markSlices ${marks.map(sliceKeyText).join(' ')}`, () => {
        const storage = storageOf(db);
        for (const one of marks) {
          const row = storage.slices.get(sliceKeyText(one));
          const after = row && storage.rules.mark(row, one, storage.now);
          if (after) storage.putSlice(after);
        }
      });

export const findTriedPlaces: typeof real.findTriedPlaces = (db, device, keys) =>
  read(db, 'findTriedPlaces', () =>
    keys.flatMap((key: SliceKey) => {
      const row = storageOf(db).slices.get(sliceKeyText(key));
      const place = row ? row.deviceIds.indexOf(device.deviceId) : -1;
      if (!row || place < 0 || row.appId !== device.appId || row.generations[place] !== device.generation) return [];
      if (row.channel === 'nativepush' || row.channel === 'none') return [];
      const { taskId, shard, slice, n, channel } = row;
      return row.status[place] === placeStatus.planned ? [] : [{ taskId, shard, slice, n, place, channel }];
    }),
  );
