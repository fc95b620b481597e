import assert from 'node:assert/strict';
import * as inbox from '#src/storage/devices/inbox.ts';
import { type Announcement, announce as announceSessions } from '#src/storage/devices/presence.ts';
import * as modelInbox from '../simulation/storage/inbox.ts';
import * as modelPresence from '../simulation/storage/presence.ts';
import { shardRows } from '../simulation/storage/rows.ts';
import { devices } from './fixture.ts';
import { APP, assertSame, type CreateOperation } from './operation.ts';

export const insertIntoInbox: CreateOperation = (random, work) => {
  const rows = random.pick([devices, devices.toReversed(), [random.pick(devices)]]).map(
    ({ deviceId, bucket }): inbox.InboxRow => ({
      ...{ appId: APP, bucket, deviceId, taskId: work.plannedTaskId, generation: random.pick([1, 1, 2]) },
      ...{ sliceBucket: 0, sliceNumber: 1, placeIndex: 0, placeCount: 1, expiresAt: new Date(Date.now() + 3_600_000) },
    }),
  );
  return {
    name: 'insertInboxRows',
    run: async ({ db }) => void (await inbox.insertInboxRows(db, rows)),
    *expects() {
      yield {
        check: async ({ db }, { rows: inserted, snapshot }) => {
          const keys = new Set(inserted.map(inboxKey));
          // While the statement waits for one row, another one can be inserted and deleted. It is then not inserted.
          const table = shardRows(db).inbox;
          const isUnchanged = rows.every((row) => snapshot.inbox.get(inboxKey(row)) === table.get(inboxKey(row)));
          for (const row of rows)
            if (isUnchanged && !keys.has(inboxKey(row)) && row.generation === 1)
              assert.ok(table.has(inboxKey(row)), 'an inbox row was not inserted');
          const expected = await modelInbox.insertInboxRows(
            db,
            rows.filter((row) => keys.has(inboxKey(row))),
          );
          assertSame(inserted, expected, ['deviceId', 'taskId'], 'inserted inbox rows');
        },
      };
      yield { check: async () => undefined }; // No inbox is full.
    },
  };
};

export const deleteFromInbox: CreateOperation = (random, work) => {
  const keys = random
    .pick([devices, devices.toReversed()])
    .map(({ deviceId, bucket }) => ({ deviceId, bucket, taskId: work.plannedTaskId }));
  return {
    name: 'deleteInboxRows',
    run: ({ db }) => inbox.deleteInboxRows(db, keys),
    *expects() {
      yield {
        check: ({ db }, { snapshot }) => {
          // A row that was inserted while the statement waited for another row is not deleted.
          const isSame = (key: string) => snapshot.inbox.get(key) === shardRows(db).inbox.get(key);
          return modelInbox.deleteInboxRows(
            db,
            keys.filter((key) => isSame(inboxKey(key))),
          );
        },
      };
    },
  };
};

const inboxKey = ({ deviceId, taskId }: { readonly deviceId: bigint; readonly taskId: bigint }): string =>
  `${deviceId}.${taskId}`;

export const announce: CreateOperation = (random) => {
  const gateway = random.pick(['gateway-1', 'gateway-2']);
  const list = random.pick([devices, devices.toReversed()]).map(
    ({ deviceId, bucket }): Announcement => ({
      ...{ appId: APP, bucket, deviceId, generation: random.pick([1, 1, 1, 2]), online: random.chance(0.7) },
      since: `2026-01-01 00:00:0${random.below(5)}.000000+00`,
    }),
  );
  const epoch = random.between(1, 2);
  return {
    name: 'announce',
    run: async ({ db }) => void (await announceSessions(db, gateway, epoch, list)),
    *expects() {
      yield {
        check: async ({ db }, { rows }) => {
          const written = await modelPresence.announce(db, gateway, epoch, list);
          assertSame(rows, written, ['deviceId', 'replacedGateway'], 'written announcements');
        },
      };
    },
  };
};
