import assert from 'node:assert/strict';
import { inTransaction, type Storage, withLockLimit } from '#src/storage/database/database.ts';

/**
 * Leaves a partition with a pending detach. A transaction that reads the parent table makes the second half of the
 * detach time out, after the first half was committed.
 */
export async function leavePendingDetach({ shards }: Storage, day: number): Promise<void> {
  const db = shards.dbFor(0);
  await inTransaction(db, async (tx) => {
    await tx.query('select count(*) from slices');
    await assert.rejects(
      withLockLimit(db, 200, (query) => query(`alter table slices detach partition slices_day_${day} concurrently`)),
    );
  });
  const pending = await db.query('select from pg_inherits where inhdetachpending');
  assert.equal(pending.length, 1);
}
