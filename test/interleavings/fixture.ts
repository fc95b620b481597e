import { BUCKETS } from '#src/domain/bucket.ts';
import { placeStatus } from '#src/domain/slice.ts';
import { firstTaskIdAt } from '#src/domain/task.ts';
import type { ShardDb } from '#src/storage/database/database.ts';
import { expansionOf, planExpansions } from '#src/storage/ledger/expansions.ts';
import { insertSlices, type NewSlice } from '#src/storage/ledger/slices.ts';
import type { DeviceRow } from '../simulation/storage/rows.ts';
import { APP, type Work } from './operation.ts';

/** Devices of all slices, inboxes and sessions. */
export const devices = [1, 2, 3].map(
  (number): DeviceRow => ({
    ...{ appId: APP, bucket: 0, deviceId: BigInt(number * BUCKETS), userId: 1n, pushToken: `token-${number}` },
    ...{ generation: 1, reach: 0, latestDomestic: null, registeredAt: 0 },
  }),
);

const [first, second] = devices as [DeviceRow, DeviceRow];

/** Returns a slice of a vendor with one place for each device. */
export const newSlice = (taskId: bigint, bucket: number, ofDevices: readonly DeviceRow[] = [first]): NewSlice => ({
  ...{ taskId, bucket, appId: APP, channel: 'fcm', lane: 'bulk', state: 'ready', dueInMs: 0, tried: [] },
  ...{ nativeSlice: null, placeCount: ofDevices.length, status: Buffer.alloc(ofDevices.length) },
  deviceIds: ofDevices.map(({ deviceId }) => deviceId).join(','),
  generations: ofDevices.map(({ generation }) => generation).join(','),
});

export async function insertDevices(db: ShardDb): Promise<void> {
  for (const { appId, bucket, deviceId, userId, pushToken } of devices)
    await db.query(
      `insert into devices (app_id, bucket, device_id, device_guid, user_id, push_token, registered_at)
       values ($1, $2, $3, $5, $4, $5, now())`,
      [appId, bucket, deviceId, userId, pushToken],
    );
}

/** The IDs of all tasks during this test. The observer names them, so that PostgreSQL plans few partitions. */
const [firstId, lastId] = [-1, 12].map((hours) => firstTaskIdAt(new Date(Date.now() + hours * 3_600_000)));
export const WITHIN_TEST = `task_id between ${firstId} and ${lastId}`;

/** Replaces all rows by those with which each schedule begins. */
export async function resetRows(db: ShardDb): Promise<Work> {
  const tables = ['slices', 'slice_targets', 'expansions', 'tasks', 'inbox'];
  await db.query(
    `${tables.map((table) => `delete from ${table} where ${WITHIN_TEST};`).join('')} delete from sessions`,
  );
  const plannedTaskId = firstTaskIdAt(new Date());
  const [acceptedTaskId, listTaskId] = [plannedTaskId + BigInt(BUCKETS), plannedTaskId + BigInt(2 * BUCKETS)];
  for (const [taskId, state] of [
    [plannedTaskId, 'planned'],
    [acceptedTaskId, 'accepted'],
  ])
    await db.query(
      `insert into tasks (task_id, app_id, author, lane, state, by_range, strategy, ospush_sequence, audience, message,
                          due_at, not_after, next_at)
       values ($1, '${APP}', 'admin', 'bulk', $2, true, 'combined', '{}', '{"kind":"all"}', '{}', now(),
               now() + interval '1 day', now())`,
      [taskId, state],
    );
  const task = { taskId: plannedTaskId, appId: APP, lane: 'bulk' } as const;
  await planExpansions(db, [expansionOf(task, { firstBucket: 0, lastBucket: 9 })], { done: false });
  // The first device fell back from the Carillon channel to a vendor, and can return.
  const [native] = await insertSlices(db, [
    {
      ...newSlice(plannedTaskId, 0, [first, second]),
      ...{ channel: 'nativepush', state: 'waiting', dueInMs: 60_000 },
      status: Buffer.from([placeStatus.fellBack, placeStatus.waiting]),
    },
  ]);
  const nativeSlice = (native as { sliceNumber: number }).sliceNumber;
  const vendorSlices = await insertSlices(db, [
    { ...newSlice(plannedTaskId, 0), tried: ['nativepush'], nativeSlice },
    newSlice(plannedTaskId, 0, devices),
  ]);
  return {
    ...{ plannedTaskId, acceptedTaskId, listTaskId, taskRange: [plannedTaskId, listTaskId] },
    firstSlices: [native, ...vendorSlices] as Work['firstSlices'],
    ...{ slices: [], expansions: [], tasks: [] },
  };
}
