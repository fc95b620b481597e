import assert from 'node:assert/strict';
import { verifyCounts, verifyExpansions, verifyScope } from '#src/api/ledger/verify-scope.ts';
import { ALL_SHARDS } from '#src/domain/task.ts';
import type { Truth } from '#src/storage/database/database.ts';
import { checkRequestKeys, findLawTasks, findOldInboxRows } from '#src/storage/ledger/invariants.ts';

/** Fails with the laws that are broken, in every app and every database. */
export async function checkLaws(truth: Truth): Promise<void> {
  const apps = await truth.home.query<{ appId: string }>('select app_id as "appId" from apps');
  const tasks = await findLawTasks(truth.home, null, 0n, null);
  const broken = [
    ...(await verifyScope(truth, { tasks, shards: ALL_SHARDS, part: 0, parts: 1 })),
    ...(await verifyExpansions(truth, tasks)),
  ];
  for (const { appId } of apps) {
    const mine = tasks.filter((task) => task.appId === appId);
    broken.push(...(await verifyCounts(truth, appId, mine)));
    broken.push(...(await checkRequestKeys(truth.home, appId, { author: '', requestId: '' }, 1_000_000)).broken);
  }
  for (const db of truth.shards.all) broken.push(...(await findOldInboxRows(db, null)));
  assert.deepEqual(broken, []);

  const taskIds = tasks.map(({ taskId }) => taskId);
  for (const db of truth.shards.all) {
    const orphans = await db.query('select task_id, shard, slice from slices where task_id <> all($1)', [taskIds]);
    assert.deepEqual(orphans, [], 'L10 a slice has a task');
  }
}
