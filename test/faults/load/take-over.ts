import type { Truth } from '#src/truth/database.ts';

interface Held {
  readonly taskId: bigint;
  readonly slice: number;
  readonly epoch: number;
}

/** The slices that workers hold at this moment, in each shard database. */
export function leasedSlices({ shards }: Truth): Promise<Held[][]> {
  return Promise.all(
    shards.all.map((db) =>
      db.query<Held>(`select task_id as "taskId", slice, epoch from slices where state = 'leased'`),
    ),
  );
}

/** How many of them somebody has claimed since. */
export async function countTakenOver({ shards }: Truth, held: readonly (readonly Held[])[]): Promise<number> {
  const counts = await Promise.all(
    shards.all.map((db, i) =>
      db.query(
        `select from slices s
           join unnest($1::bigint[], $2::int[], $3::int[]) as h (task_id, slice, epoch) using (task_id, slice)
          where s.epoch > h.epoch`,
        [
          (held[i] ?? []).map(({ taskId }) => taskId),
          (held[i] ?? []).map(({ slice }) => slice),
          (held[i] ?? []).map(({ epoch }) => epoch),
        ],
      ),
    ),
  );
  return counts.flat().length;
}
