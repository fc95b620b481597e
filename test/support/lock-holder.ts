import { once } from 'node:events';
import { createLog } from '#src/foundation/log.ts';
import { inTransaction } from '#src/storage/database/database.ts';
import { openStorage } from '#src/storage/database/open-storage.ts';
import { lockSlice } from '#src/storage/ledger/slices.ts';

/**
 * A process that locks a slice in a transaction, on a connection of the pool. After a message from its parent, it
 * continues the transaction. It reports the name of the error, and whether the pool can still be used.
 */
const [taskId, bucket, sliceNumber] = process.argv.slice(2) as [string, string, string];
const storage = await openStorage({
  settings: {
    CARILLON_DATABASE_URL: process.env.CARILLON_DATABASE_URL as string,
    CARILLON_SHARD_DATABASES: process.env.CARILLON_SHARD_DATABASES as string,
    CARILLON_DATABASE_QUERY_SECONDS_MAX: 10,
  },
  connections: 1,
  log: createLog({ level: 'error', fields: { role: 'test' } }),
});
const db = storage.shards.dbFor(Number(bucket));
let failure = 'none';
try {
  await inTransaction(db, async (tx) => {
    await lockSlice(tx, { taskId: BigInt(taskId), bucket: Number(bucket), sliceNumber: Number(sliceNumber) });
    process.send?.('locked');
    await once(process, 'message');
    await tx.query('select 1');
  });
} catch (error) {
  failure = (error as Error).name;
}
const rows = await db.query('select 1 as one');
process.send?.({ failure, isUsable: rows.length === 1 });
await storage.close();
process.disconnect();
