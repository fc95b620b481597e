import type { Static } from 'typebox';
import { noBits } from '#src/domain/bits.ts';
import { LEASE_MARGIN_SECONDS, leaseCovers } from '#src/domain/lease.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import type { Lane, Task } from '#src/domain/task.ts';
import type { Batch } from '#src/foundation/batch.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import type { Signals } from '#src/signals/signals.ts';
import { byDatabase, type Storage } from '#src/storage/database/database.ts';
import type { Device } from '#src/storage/devices/devices.ts';
import {
  type ClaimedSlice,
  markSlices,
  type SliceWrite,
  type WrittenSlice,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import type { ClaimedTask, PlannedMark } from '#src/storage/ledger/tasks.ts';
import type { VendorSender } from '#src/vendors/sender.ts';
import type { vendorSettings } from '#src/vendors/settings.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Breakers } from './accounts/breakers.ts';
import type { Quotas } from './accounts/quotas.ts';
import type { Rates } from './accounts/rates.ts';
import type { SuspectTokens } from './accounts/suspect-tokens.ts';
import type { ExtraSlots } from './claim/extra-slots.ts';
import type { AppTurns } from './pacing/app-turns.ts';
import type { BulkThrottle } from './pacing/bulk-throttle.ts';
import type { ReleaseQueue } from './pacing/release-claims.ts';
import type { TaskCache } from './pacing/task-cache.ts';
import type { PlannedCall } from './send/vendor-calls.ts';
import type { workerSettings } from './settings.ts';
import { recordEnded } from './upkeep/record-metrics.ts';

/** What every step of the work stands on. */
export interface WorkerContext {
  readonly settings: Static<typeof workerSettings> & Static<typeof vendorSettings>;
  readonly storage: Storage;
  readonly signals: Signals;
  readonly clock: DatabaseClock;
  readonly accounts: Accounts;
  readonly breakers: Breakers;
  readonly suspectTokens: SuspectTokens<PlannedCall>;
  readonly quotas: Quotas;
  readonly rates: Rates;
  readonly extraSlots: ExtraSlots;
  readonly taskCache: TaskCache;
  readonly sender: VendorSender;
  readonly appTurns: Readonly<Record<Lane, AppTurns>>;
  readonly bulkThrottle: BulkThrottle;
  readonly releaseQueue: ReleaseQueue;
  /** Marks tasks as planned, together those that come together. */
  readonly plannedMarks: Batch<ClaimedTask, PlannedMark | undefined>;
  /** Tasks that this worker is just planning, and whether something of them was closed meanwhile. */
  readonly tasksBeingPlanned: Map<bigint, { closed: boolean }>;
  /** Bulk tasks of which something was closed since the last sweep: they may be at their end. */
  readonly bulkTasksToCheck: Set<bigint>;
  readonly log: Log;
}

/** A slice in hand together with its task. */
export interface Work {
  readonly slice: ClaimedSlice;
  readonly task: Task;
  /** This worker's monotonic clock before the write that gave it the slice. */
  readonly acquiredAtMs: number;
  /** Its devices as they were read when it was made, a moment ago. */
  readonly devices?: ReadonlyMap<bigint, Device>;
}

/** Whether a holder may still begin something that takes so long, cannot be taken back, and has to be written down. */
export function leaseStillCovers({ settings }: WorkerContext, acquiredAtMs: number, seconds: number): boolean {
  const lease = { acquiredAtMs, leaseMs: settings.CARILLON_LEASE_SECONDS * 1_000 };
  return leaseCovers(lease, performance.now(), (seconds + LEASE_MARGIN_SECONDS) * 1_000);
}

/** Writes slices of any shard. Answers by slice; one that someone else has claimed since is absent. */
export async function writeSlicesOfAllShards(
  context: WorkerContext,
  writes: readonly SliceWrite[],
): Promise<ReadonlyMap<string, WrittenSlice>> {
  const groups = byDatabase(context.storage.shards, writes, ({ claimed: slice }) => slice.shard);
  const updates = await Promise.all([...groups].map(([db, group]) => writeSlices(db, group)));
  const rows = new Map(updates.flat().map((row) => [sliceKeyText(row), row]));
  recordEnded(writes.filter(({ claimed: slice }) => rows.has(sliceKeyText(slice))));
  await addSentBits(
    context,
    writes.filter(({ claimed: slice }) => !rows.has(sliceKeyText(slice))),
  );
  return rows;
}

/**
 * What went out went out, whoever holds the slice by now. The statuses are the other's to decide, but the sent bits are
 * added as receipts are; the other one might never hear what we have heard.
 */
export async function addSentBits(
  { storage }: WorkerContext,
  rejectedWrites: readonly Pick<SliceWrite, 'claimed' | 'sent'>[],
): Promise<void> {
  const marks = rejectedWrites
    .filter(({ sent }) => sent.includes('1'))
    .map(({ claimed: { taskId, shard, sliceNumber }, sent }) => ({
      taskId,
      shard,
      sliceNumber,
      sent,
      received: noBits(sent.length),
    }));
  const groups = byDatabase(storage.shards, marks, ({ shard }) => shard);
  await Promise.all([...groups].map(([db, group]) => markSlices(db, group)));
}
