import assert from 'node:assert/strict';
import { type HomeDb, inTransaction } from '#src/storage/database/database.ts';
import type { RoleProcess } from '../../scripts/dev/role-process.ts';
import { eventually } from './eventually.ts';
import { metricOf } from './metric.ts';

/** What it has asked of PostgreSQL so far. */
export const queryCountOf = (role: RoleProcess): Promise<number> =>
  metricOf(role, 'carillon_database_query_seconds_count');

/** Not all of them: some come by connections that were open, and some of those to PostgreSQL end meanwhile. */
const ARRIVED_SHARE_MIN = 0.95;
/** A question may wait for a table that long, and a little longer. */
const LOCK_SECONDS_MAX = 8;

/**
 * Begins so many calls of a role at once, and holds a table that they need until they are there. Whoever comes one by one
 * to a quick database is answered one by one, and that is right; here they have come together, however quick it is.
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
      assert.ok(!process.getActiveResourcesInfo().includes('TCPConnectWrap'), 'not every call is on its way');
      const arrivedCount = (await openFiles()) - before;
      assert.ok(arrivedCount >= ARRIVED_SHARE_MIN * calls, `${arrivedCount} of ${calls} calls are there`);
    }, LOCK_SECONDS_MAX);
    await openFiles(); // asked after the last call came, and answered after it was read
  } finally {
    released.resolve();
  }
  await lockTransaction;
  return done;
}
