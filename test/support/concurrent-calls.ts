import assert from 'node:assert/strict';
import { type HomeDb, inTransaction } from '#src/storage/database/database.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { eventually } from './eventually.ts';
import { metricOf } from './metric.ts';

/** Returns the number of queries that a role has sent to PostgreSQL so far. */
export const queryCountOf = (role: RoleProcess): Promise<number> =>
  metricOf(role, 'carillon_database_query_seconds_count');

/**
 * Less than 1, because some calls reuse existing connections, and some connections to PostgreSQL end during the check.
 */
const ARRIVED_SHARE_MIN = 0.95;
/** Maximum time for which the table is locked. A query that waits for the table much longer times out. */
const LOCK_SECONDS_MAX = 8;

/**
 * Starts concurrent calls to a role while a table that the calls need is locked, and releases the table when the role
 * has received the calls. Without the lock, a fast database would handle the calls one by one.
 */
export async function runConcurrently<T>(
  { role, home, table, calls }: { role: RoleProcess; home: HomeDb; table: string; calls: number },
  startCalls: () => Promise<T>,
): Promise<T> {
  const [released, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lockTransaction = inTransaction(home, async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const openFiles = () => metricOf(role, 'process_open_fds');
  const before = await openFiles();
  const done = startCalls();
  try {
    await eventually(async () => {
      assert.ok(!process.getActiveResourcesInfo().includes('TCPConnectWrap'), 'some calls are still connecting');
      const arrivedCount = (await openFiles()) - before;
      assert.ok(arrivedCount >= ARRIVED_SHARE_MIN * calls, `${arrivedCount} of ${calls} calls were received`);
    }, LOCK_SECONDS_MAX);
    await openFiles(); // sent after the last call was received, so its response shows that the role has read that call
  } finally {
    released.resolve();
  }
  await lockTransaction;
  return done;
}
