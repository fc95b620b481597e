import type * as real from '#src/storage/devices/inbox.ts';
import { inTransaction, read, simulatedDatabaseOf, write } from './database.ts';
import { shardRows } from './rows.ts';

/** Smaller than in the product, so that inboxes overflow in a simulation as well. */
const MESSAGES_PER_DEVICE_MAX = 4;

/** If a statement runs later than this after the worker's decision, the worker paused in between. */
const LATE_MS = 2_000;

const inboxKey = ({ deviceId, taskId }: { deviceId: bigint; taskId: bigint }): string => `${deviceId}.${taskId}`;

/** Runs the insert and the trim as separate commits. */
export const insertInboxRows: typeof real.insertInboxRows = async (db, rows) => {
  const database = simulatedDatabaseOf(db);
  const { inbox, devices } = shardRows(db);
  const askedAt = database.now;
  const inserted = await write(db, 'insertInboxRows', () => {
    const late = database.now > askedAt + LATE_MS;
    const fresh = rows.filter(
      (row) => devices.get(row.deviceId)?.generation === row.generation && !inbox.has(inboxKey(row)),
    );
    for (const row of fresh) database.put(inbox, inboxKey(row), { ...row, late });
    return fresh;
  });
  await write(db, 'trimInbox', () => {
    for (const deviceId of new Set(rows.map((row) => row.deviceId))) {
      const deviceRows = [...inbox.values()].filter((row) => row.deviceId === deviceId);
      deviceRows.sort((a, b) => (a.taskId < b.taskId ? 1 : -1));
      for (const row of deviceRows.slice(MESSAGES_PER_DEVICE_MAX)) database.remove(inbox, inboxKey(row));
    }
  });
  return inserted;
};

export const deleteExpiredInboxRows: typeof real.deleteExpiredInboxRows = async (db, limit) => {
  const database = simulatedDatabaseOf(db);
  const { inbox } = shardRows(db);
  await database.claim('deleteExpiredInboxRows', () => {
    const old = [...inbox.values()].filter((row) => row.expiresAt.getTime() < database.now - 60_000).slice(0, limit);
    for (const row of old) database.remove(inbox, inboxKey(row));
    return old;
  });
};

export const readInbox: typeof real.readInbox = (db, devices) =>
  read(db, 'readInbox', () => {
    const { now } = simulatedDatabaseOf(db);
    return devices.flatMap(({ deviceId, generation }) => {
      const deviceRows = [...shardRows(db).inbox.values()].filter(
        (row) => row.deviceId === deviceId && row.generation === generation && row.expiresAt.getTime() > now,
      );
      return deviceRows.sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
    });
  });

export const findInboxKeys: typeof real.findInboxKeys = (db, keys) =>
  read(db, 'findInboxKeys', () =>
    keys.filter((key) => shardRows(db).inbox.has(inboxKey(key))).map(({ deviceId, taskId }) => ({ deviceId, taskId })),
  );

export const deleteInboxRows: typeof real.deleteInboxRows = async (db, keys) => {
  if (keys.length === 0) return;
  await inTransaction(db, async (tx) => {
    for (const key of keys) simulatedDatabaseOf(tx).remove(shardRows(tx).inbox, inboxKey(key));
  });
};
