import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { placeStatus } from '#src/domain/slice.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import { createLog } from '#src/foundation/log.ts';
import { inTransaction, type ShardDb, type Storage } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { insertSlices } from '#src/storage/ledger/slices.ts';
import { createMigratedDatabases, type TestDatabases } from './databases.ts';
import { LAW_VIOLATION } from './law-triggers.ts';

/** Changes that no statement of the product makes. Each must be rejected by the trigger. */
const forbiddenChanges: readonly { readonly law: RegExp; readonly set: string }[] = [
  { law: /L5 bits are never cleared/, set: `sent = B'01'` },
  { law: /L5 bits are never cleared/, set: `received = B'00'` },
  { law: /L5 epochs never decrease/, set: 'epoch = epoch - 1' },
  { law: /L5 a final place never changes/, set: `status = '\\x0d03'` },
  { law: /L6 a claim increases the epoch/, set: `state = 'leased'` },
];

describe('the triggers of the test databases', () => {
  let databases: TestDatabases;
  let storage: Storage;
  let db: ShardDb;

  before(async () => {
    databases = await createMigratedDatabases();
    const settings = { ...databases.settings, CARILLON_DATABASE_QUERY_SECONDS_MAX: 10 };
    const log = createLog({ level: 'error', fields: { role: 'test' } });
    storage = await openStorage({ settings, connections: 2, log });
    db = storage.shards.dbFor(0);
    await insertSlice();
    const status = Buffer.from([placeStatus.sent, placeStatus.planned]);
    await db.query(`update slices set status = $1, sent = B'10', received = B'10', state = 'awaiting'`, [status]);
  });
  after(async () => {
    await storage?.close();
    await databases?.[Symbol.asyncDispose]();
  });

  /** Inserts a slice with two places that a worker holds. Returns its number. */
  async function insertSlice(): Promise<number> {
    const [inserted] = await insertSlices(db, [
      {
        ...{ taskId: firstTaskIdAt(new Date()), bucket: 0, appId: 'app', channel: 'fcm', lane: 'prompt' },
        ...{ state: 'leased', dueInMs: 30_000, tried: [], nativeSlice: null, placeCount: 2 },
        ...{ status: Buffer.alloc(2), deviceIds: '0,4096', generations: '1,1' },
      },
    ]);
    return (inserted as { sliceNumber: number }).sliceNumber;
  }

  for (const { law, set } of forbiddenChanges)
    test(`reject ${set}`, async () => {
      await assert.rejects(db.query(`update slices set ${set}`), law);
      await assert.rejects(db.query(`update slices set ${set}`), LAW_VIOLATION);
    });

  test('reject a status that is written without a claim', async () => {
    await db.query(`update slices set state = 'ready'`);
    await assert.rejects(db.query(`update slices set status = '\\x0a01'`), /L6 only a holder writes statuses/);
  });

  test('accept a claim and a write of its holder', async () => {
    await db.query(`update slices set state = 'leased', epoch = epoch + 1`);
    await db.query(`update slices set status = '\\x0a0a', sent = B'11', state = 'closed'`);
  });

  test('accept that a holder closes a slice after it has written a retry, only if the task was cancelled', async () => {
    for (const isCancelled of [true, false]) {
      const number = await insertSlice();
      const retry = `update slices set status = '\\x0202', state = 'ready', cancelled = $2 where slice = $1`;
      await db.query(retry, [number, isCancelled]);
      const close = () => db.query(`update slices set status = '\\x1010', state = 'closed' where slice = $1`, [number]);
      if (isCancelled) await close();
      else await assert.rejects(close, /L6 only a holder writes statuses/);
    }
  });

  test('accept that a hand-over replaces its own write in the same transaction', async () => {
    const number = await insertSlice();
    const settle = `update slices set status = '\\x0d0d', state = 'closed' where slice = $1`;
    const cancel = `update slices set status = '\\x1010' where slice = $1`;
    await inTransaction(db, async (tx) => {
      await tx.query(settle, [number]);
      await tx.query(cancel, [number]);
    });
    await assert.rejects(db.query(settle, [number]), /L6 only a holder writes statuses/);
  });
});
