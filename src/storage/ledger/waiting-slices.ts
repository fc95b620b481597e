import type { VendorName } from '#src/domain/channel.ts';
import type { TaskRange } from '#src/domain/task.ts';
import type { ShardDb } from '../database/database.ts';

/**
 * Makes slices due that wait for their next attempt on a vendor channel, those with the earliest attempt first. Keeps
 * their epochs, because no worker holds them. Skips slices that wait after they failed alone. Returns the number
 * of slices.
 */
export async function retryWaitingSlices(
  db: ShardDb,
  { appId, channel }: { readonly appId: string; readonly channel: VendorName },
  taskRange: TaskRange,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `with waiting as (
       select task_id, bucket, slice
         from slices
        where state <> 'closed' and state = 'ready' and lane = any(array['prompt', 'bulk']) and app_id = $1
          and channel = $2 and next_at > now() and next_at < 'infinity' and coalesce(failures, 0) = 0
          and task_id between $3 and $4
        order by next_at
        limit $5
          for update skip locked
     )
     update slices s set next_at = now()
       from waiting w
      where (s.task_id, s.bucket, s.slice) = (w.task_id, w.bucket, w.slice) and s.task_id between $3 and $4
      returning 1`,
    [appId, channel, ...taskRange, limit],
  );
  return rows.length;
}
