import { orderByAppTurns } from '#src/domain/app-turns.ts';
import type { SliceRow } from '#src/domain/claim.ts';
import { placeStatus, type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import type * as realMarks from '#src/storage/ledger/mark-slices.ts';
import type * as real from '#src/storage/ledger/slices.ts';
import { read, simulatedDatabaseOf, write } from './database.ts';
import { putExpansions } from './expansions.ts';
import { shardRows } from './rows.ts';

const FIRST_EPOCH = 1;

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

export const insertUnclaimedSlices: typeof real.insertUnclaimedSlices = async (db, slices) => {
  if (slices.length > 0) await write(db, 'insertUnclaimedSlices', () => putSlices(db, slices));
};

function putSlices(db: ShardDb, slices: readonly real.NewSlice[]): real.ClaimedSlice[] {
  const database = simulatedDatabaseOf(db);
  return slices.map(({ state, dueInMs, ...rest }) => {
    const none = '0'.repeat(rest.placeCount);
    const row: SliceRow = {
      ...rest,
      deviceIds: rest.deviceIds.split(',').map(BigInt),
      generations: rest.generations.split(',').map(Number),
      sliceNumber: shardRows(db).nextSlice++,
      state,
      epoch: FIRST_EPOCH,
      nextAt: database.now + dueInMs,
      attempts: 0,
      cancelled: false,
      failures: 0,
      sent: none,
      received: none,
      clicked: null,
      history: [],
      historyDropped: 0,
    };
    database.putSlice(row);
    return row;
  });
}

export const claimSlices: typeof real.claimSlices = async (db, { lane, limit, leaseSeconds, turns }) => {
  const database = simulatedDatabaseOf(db);
  const rows = await database.claim('claimSlices', () => {
    const due: SliceRow[] = [];
    for (const row of database.slices.values())
      if (row.lane === lane && database.rules.isDue(row, database.now)) due.push(row);
    const next = orderByAppTurns(due, turns).slice(0, limit);
    return next.map((row) => {
      const claimed = database.rules.claim(row, database.now, leaseSeconds * 1_000);
      database.putSlice(claimed);
      return claimed;
    });
  });
  return [...rows];
};

export const reclaimSlice: typeof real.reclaimSlice = (db, claim, leaseSeconds) =>
  write(db, `reclaimSlice ${sliceKeyText(claim)}`, () => {
    const database = simulatedDatabaseOf(db);
    const row = database.slices.get(sliceKeyText(claim));
    const after = row && database.rules.reclaim(row, claim.epoch, database.now, leaseSeconds * 1_000);
    if (!after) return undefined;
    database.hooks.observed('slice reclaimed');
    database.putSlice(after);
    return after;
  });

export const writeSlices: typeof real.writeSlices = (db, writes) =>
  writes.length === 0
    ? Promise.resolve([])
    : write(
        db,
        `writeSlices ${writes.map(({ claimed, state }) => `${sliceKeyText(claimed)} ${state}`).join(' ')}`,
        () => {
          const database = simulatedDatabaseOf(db);
          return writes.flatMap((holderWrite) => {
            const row = database.slices.get(sliceKeyText(holderWrite.claimed));
            const after = row && database.rules.writeAsHolder(row, holderWrite, database.now);
            if (!after) return [];
            database.putSlice({ ...after, status: Buffer.from(after.status) }, holderWrite.claimed.epoch);
            const { taskId, bucket, sliceNumber, received, cancelled } = after;
            return [{ taskId, bucket, sliceNumber, received, cancelled }];
          });
        },
      );

export const lockSlice: typeof real.lockSlice = (db, key) =>
  read(db, 'lockSlice', () => {
    const row = simulatedDatabaseOf(db).slices.get(sliceKeyText(key));
    return row && { epoch: row.epoch, status: row.status, deviceIds: [...row.deviceIds] };
  });

export const releaseSlices: typeof real.releaseSlices = (db, claims) =>
  write(db, `releaseSlices ${claims.map(sliceKeyText).join(' ')}`, () => {
    const database = simulatedDatabaseOf(db);
    for (const claim of claims) {
      const row = database.slices.get(sliceKeyText(claim));
      const after = row && database.rules.release(row, claim.epoch, database.now);
      if (after) database.putSlice(after);
    }
  });

export const renewSlices: typeof real.renewSlices = (db, claims, leaseSeconds) =>
  write(db, `renewSlices ${claims.map(sliceKeyText).join(' ')}`, () => {
    const database = simulatedDatabaseOf(db);
    for (const claim of claims) {
      const row = database.slices.get(sliceKeyText(claim));
      const after = row && database.rules.renew(row, claim.epoch, database.now, leaseSeconds * 1_000);
      if (!after) continue;
      database.hooks.observed('slice renewed');
      database.putSlice(after);
    }
  });

export const reopenSlice: typeof real.reopenSlice = (db, key, status) =>
  write(db, 'reopenSlice', () => {
    const database = simulatedDatabaseOf(db);
    const row = database.slices.get(sliceKeyText(key));
    if (row) database.putSlice(database.rules.reopen(row, status, database.now));
  });

/** The probability that another transaction has locked a slice. */
const LOCKED = 0.05;

export const markSlices: typeof realMarks.markSlices = (db, marks) =>
  marks.length === 0
    ? Promise.resolve([])
    : write(db, `markSlices ${marks.map(sliceKeyText).join(' ')}`, () => {
        const database = simulatedDatabaseOf(db);
        return marks.filter((mark) => {
          const row = database.slices.get(sliceKeyText(mark));
          const after = row && database.rules.mark(row, mark, database.now);
          if (!after) return false;
          const isLocked = database.scheduler.random.chance(LOCKED);
          if (isLocked) database.hooks.observed('slice locked');
          else database.putSlice(after);
          return isLocked;
        });
      });

export const findTriedPlaces: typeof real.findTriedPlaces = (db, device, keys, { isClick }) =>
  read(db, 'findTriedPlaces', () =>
    keys.flatMap((key: SliceKey) => {
      const row = simulatedDatabaseOf(db).slices.get(sliceKeyText(key));
      const index = row ? row.deviceIds.indexOf(device.deviceId) : -1;
      if (!row || index < 0 || row.appId !== device.appId || row.generations[index] !== device.generation) return [];
      if (row.channel === 'none' || (row.channel === 'nativepush' && !isClick)) return [];
      const { taskId, bucket, sliceNumber, placeCount, channel } = row;
      return row.status[index] === placeStatus.planned && row.received[index] !== '1'
        ? []
        : [{ taskId, bucket, sliceNumber, placeCount, index, channel }];
    }),
  );
