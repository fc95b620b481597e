import assert from 'node:assert/strict';
import { verifyCounts, verifyExpansions, verifyScope } from '#src/api/ledger/verify-scope.ts';
import { BUCKETS } from '#src/domain/bucket.ts';
import type { Storage } from '#src/storage/database/database.ts';
import { checkRequestKeys, findExpiredInboxRows, findTasksToCheck } from '#src/storage/ledger/invariants.ts';

/** Fails if any app or database violates an invariant, and lists the violations. */
export async function checkLaws(storage: Storage): Promise<void> {
  const apps = await storage.home.query<{ appId: string }>('select app_id as "appId" from apps');
  const tasks = await findTasksToCheck(storage.home, null, 0n, null);
  const broken = [
    ...(await verifyScope(storage, { tasks, buckets: { firstBucket: 0, lastBucket: BUCKETS - 1 }, part: 0, parts: 1 })),
    ...(await verifyExpansions(storage, tasks)),
  ];
  for (const { appId } of apps) {
    const appTasks = tasks.filter((task) => task.appId === appId);
    broken.push(...(await verifyCounts(storage, appId, appTasks)));
    broken.push(
      ...(await checkRequestKeys(storage.home, appId, { bucket: 0, author: '', requestId: '' }, 1_000_000)).violations,
    );
  }
  for (const db of storage.shards.all) broken.push(...(await findExpiredInboxRows(db, null)));
  assert.deepEqual(broken, []);

  const taskIds = tasks.map(({ taskId }) => taskId);
  for (const db of storage.shards.all) {
    const orphans = await db.query('select task_id, bucket, slice from slices where task_id <> all($1)', [taskIds]);
    assert.deepEqual(orphans, [], 'L10 a slice has a task');
  }
}
