import type * as real from '#src/storage/devices/inbox.ts';
import { inTransaction, read, storageOf, write } from './database.ts';
import { shardRows } from './rows.ts';

/** Smaller than in the product, so that inboxes overflow in a simulation as well. */
const MESSAGES_PER_DEVICE_MAX = 4;

/** A statement that comes so long after it was decided is of a worker that stood still in between. */
const LATE_MS = 2_000;

const inboxKey = ({ deviceId, taskId }: { deviceId: bigint; taskId: bigint }): string => `${deviceId}.${taskId}`;

/** Two statements, each a commit of its own. */
export const insertInbox: typeof real.insertInbox = async (db, rows) => {
  const storage = storageOf(db);
  const { inbox, devices } = shardRows(db);
  const askedAt = storage.now;
  const laid = await write(db, 'insertInbox', () => {
    const late = storage.now > askedAt + LATE_MS;
    const fresh = rows.filter(
      (row) => devices.get(row.deviceId)?.generation === row.generation && !inbox.has(inboxKey(row)),
    );
    for (const row of fresh) storage.put(inbox, inboxKey(row), { ...row, late });
    return fresh;
  });
  await write(db, 'trimInbox', () => {
    for (const deviceId of new Set(rows.map((row) => row.deviceId))) {
      const mine = [...inbox.values()].filter((row) => row.deviceId === deviceId);
      mine.sort((a, b) => (a.taskId < b.taskId ? 1 : -1));
      for (const row of mine.slice(MESSAGES_PER_DEVICE_MAX)) storage.remove(inbox, inboxKey(row));
    }
  });
  return laid;
};

export const deleteExpiredInbox: typeof real.deleteExpiredInbox = async (db, limit) => {
  const storage = storageOf(db);
  const { inbox } = shardRows(db);
  await storage.take('deleteExpiredInbox', () => {
    const old = [...inbox.values()].filter((row) => row.expiresAt.getTime() < storage.now - 60_000).slice(0, limit);
    for (const row of old) storage.remove(inbox, inboxKey(row));
    return old;
  });
};

export const readInbox: typeof real.readInbox = (db, devices) =>
  read(db, 'readInbox', () => {
    const { now } = storageOf(db);
    return devices.flatMap(({ deviceId, generation }) => {
      const mine = [...shardRows(db).inbox.values()].filter(
        (row) => row.deviceId === deviceId && row.generation === generation && row.expiresAt.getTime() > now,
      );
      return mine.sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
    });
  });

export const findInbox: typeof real.findInbox = (db, keys) =>
  read(db, 'findInbox', () =>
    keys.filter((key) => shardRows(db).inbox.has(inboxKey(key))).map(({ deviceId, taskId }) => ({ deviceId, taskId })),
  );

export const deleteInbox: typeof real.deleteInbox = async (db, keys) => {
  if (keys.length === 0) return;
  await inTransaction(db, async (tx) => {
    for (const key of keys) storageOf(tx).remove(shardRows(tx).inbox, inboxKey(key));
  });
};
