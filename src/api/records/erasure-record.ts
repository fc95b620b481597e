import type { Static } from 'typebox';
import type { erasureRecord } from '#src/contract/schemas/erasure-record.ts';
import { byDatabase, type Shards } from '#src/storage/database/database.ts';
import type { Erasure } from '#src/storage/users/erasures.ts';

/** Converts an erasure to its API record. */
export function toErasureRecord(shards: Shards, erasure: Erasure): Static<typeof erasureRecord> {
  const { erasureId, userId, buckets, requestedAt, doneAt } = erasure;
  const databasesLeft = byDatabase(shards, buckets, (bucket) => bucket).size;
  return {
    erasure_id: erasureId,
    user_id: userId,
    state: doneAt ? 'done' : databasesLeft > 0 ? 'devices' : 'records',
    databases_left: databasesLeft,
    requested_at: BigInt(requestedAt.getTime()),
    done_at: doneAt && BigInt(doneAt.getTime()),
  };
}
