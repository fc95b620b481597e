import assert from 'node:assert/strict';
import type { Storage } from '#src/storage/database/database.ts';
import { eventually } from './eventually.ts';

export interface SliceRow {
  readonly channel: string;
  readonly state: string;
  readonly epoch: number;
  readonly attempts: number;
  readonly status: Buffer;
  readonly nextAt: Date;
}

/** Returns the slices of a task from all databases. */
export async function slicesOf({ shards }: Storage, taskId: bigint): Promise<SliceRow[]> {
  const rows = await Promise.all(
    shards.all.map((db) =>
      db.query<SliceRow>(
        `select channel, state, epoch, attempts, status, next_at as "nextAt" from slices where task_id = $1 order by slice`,
        [taskId],
      ),
    ),
  );
  return rows.flat();
}

/** Returns the number of devices with a message of this task in their inbox. */
export async function countInboxRows({ shards }: Storage, taskId: bigint): Promise<number> {
  const rows = await Promise.all(shards.all.map((db) => db.query('select from inbox where task_id = $1', [taskId])));
  return rows.flat().length;
}

/** Waits until a task is finished. */
export async function waitUntilFinished({ home }: Storage, taskId: bigint, secondsMax = 20): Promise<void> {
  await eventually(async () => {
    const [task] = await home.query<{ state: string }>('select state from tasks where task_id = $1', [taskId]);
    assert.equal(task?.state, 'finished');
  }, secondsMax);
}
