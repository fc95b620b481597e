import type { Bits } from '#src/domain/bits.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import { rangeOfTaskIds } from '#src/domain/task.ts';
import type { ShardDb } from '../database/database.ts';
import { isComplete } from './slices.ts';

/** Bits to add to a slice. Their length must equal the number of places of the slice. */
export interface SliceBits extends SliceKey {
  readonly sent: Bits;
  readonly received: Bits;
  /** A place with this bit must have its received bit too. */
  readonly clicked?: Bits | undefined;
}

/** Bits of different lengths cannot be combined, so an invalid slice would fail the marks of the others. */
const HAS_VALID_BITS = 's.n = length(s.sent) and s.n = length(s.received) and s.n = coalesce(length(s.clicked), s.n)';

/**
 * Sets sent, received and clicked bits and never clears them, so a repeated receipt does not change the counts. The marks of one
 * slice must be merged, because PostgreSQL would apply only one of two marks for a row.
 *
 * Locked slices are skipped, so that a transaction that holds one slice does not delay the marks of the others. Returns
 * these slices, whose marks the caller must repeat. Marks of slices that do not exist, or have another number of places,
 * are dropped. Without a skipped slice, this is one statement.
 *
 * A slice in the state `waiting` becomes due when none of its places is open without a receipt: it is not claimed for
 * each receipt. A slice in the state `awaiting` becomes due when it has all receipts.
 */
export async function markSlices(db: ShardDb, marks: readonly SliceBits[]): Promise<SliceKey[]> {
  const unmarked = await db.query<SliceKey>(
    `with m as materialized (
       select *
         from unnest($1::bigint[], $2::smallint[], $3::int[], $4::varbit[], $5::varbit[], $8::varbit[])
              as u (task_id, bucket, slice, sent, received, clicked)
     ), locked as (
       select m.*
         from slices s join m using (task_id, bucket, slice)
        where s.n = length(m.received) and ${HAS_VALID_BITS} and s.task_id between $6 and $7 -- to prune partitions
        order by s.task_id, s.bucket, s.slice
          for update of s skip locked
     ), marked as (
       update slices s
          set received = s.received | l.received, sent = s.sent | l.sent | l.received,
              clicked = coalesce(s.clicked | l.clicked, s.clicked, l.clicked),
              next_at = case
                when s.state = 'waiting' and ${isComplete('s.status', '(s.received | l.received)')}
                  then least(s.next_at, now())
                when s.state = 'awaiting' and bit_count(s.received | l.received) = s.n then now()
                else s.next_at
              end
         from locked l
        where (s.task_id, s.bucket, s.slice) = (l.task_id, l.bucket, l.slice) and s.task_id between $6 and $7
        returning s.task_id, s.bucket, s.slice
     )
     select task_id as "taskId", bucket, slice as "sliceNumber"
       from m
      where (task_id, bucket, slice) not in (select task_id, bucket, slice from marked)`,
    [
      marks.map(({ taskId }) => taskId),
      marks.map(({ bucket }) => bucket),
      marks.map(({ sliceNumber }) => sliceNumber),
      marks.map(({ sent }) => sent),
      marks.map(({ received }) => received),
      ...rangeOfTaskIds(marks.map(({ taskId }) => taskId)),
      marks.map(({ clicked = null }) => clicked),
    ],
  );
  if (unmarked.length === 0) return [];
  const unmarkedKeys = new Set(unmarked.map(sliceKeyText));
  return findMarkable(
    db,
    marks.filter((mark) => unmarkedKeys.has(sliceKeyText(mark))),
  );
}

/** Returns the slices of these marks that exist and have the right number of places. */
async function findMarkable(db: ShardDb, marks: readonly SliceBits[]): Promise<SliceKey[]> {
  return db.query<SliceKey>(
    `select task_id as "taskId", bucket, slice as "sliceNumber"
       from slices s join unnest($1::bigint[], $2::smallint[], $3::int[], $4::int[]) as m (task_id, bucket, slice, n)
      using (task_id, bucket, slice)
      where s.n = m.n and ${HAS_VALID_BITS} and s.task_id between $5 and $6`,
    [
      marks.map(({ taskId }) => taskId),
      marks.map(({ bucket }) => bucket),
      marks.map(({ sliceNumber }) => sliceNumber),
      marks.map(({ received }) => received.length),
      ...rangeOfTaskIds(marks.map(({ taskId }) => taskId)),
    ],
  );
}
