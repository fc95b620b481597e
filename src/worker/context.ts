import type { Static } from 'typebox';
import { noBits } from '#src/domain/bits.ts';
import { isCovered, LEASE_MARGIN_SECONDS } from '#src/domain/lease.ts';
import { sliceKeyText } from '#src/domain/slice.ts';
import type { Lane, Task } from '#src/domain/task.ts';
import type { Batch } from '#src/foundation/batch.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import type { Motion } from '#src/signals/signals.ts';
import { byDatabase, type Truth } from '#src/storage/database/database.ts';
import type { Device } from '#src/storage/devices/devices.ts';
import {
  type HeldSlice,
  markSlices,
  type SliceWrite,
  type SliceWritten,
  writeSlices,
} from '#src/storage/ledger/slices.ts';
import type { ClaimedTask, PlannedMark } from '#src/storage/ledger/tasks.ts';
import type { VendorSender } from '#src/vendors/sender.ts';
import type { channelSettings } from '#src/vendors/settings.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Gates } from './accounts/breakers.ts';
import type { Quotas } from './accounts/quotas.ts';
import type { Rates } from './accounts/rates.ts';
import type { Doubts } from './accounts/suspect-tokens.ts';
import type { LentSlots } from './claim/extra-slots.ts';
import type { LaneTurns } from './pacing/app-turns.ts';
import type { Courtesy } from './pacing/bulk-throttle.ts';
import type { LetGo } from './pacing/release-claims.ts';
import type { TaskCache } from './pacing/task-cache.ts';
import type { Try } from './send/vendor-calls.ts';
import type { workerSettings } from './settings.ts';
import { countEnded } from './upkeep/record-metrics.ts';

/** What every step of the work stands on. */
export interface WorkerContext {
  readonly settings: Static<typeof workerSettings> & Static<typeof channelSettings>;
  readonly truth: Truth;
  readonly motion: Motion;
  readonly clock: DatabaseClock;
  readonly accounts: Accounts;
  readonly gates: Gates;
  readonly doubts: Doubts<Try>;
  readonly quotas: Quotas;
  readonly rates: Rates;
  readonly lentSlots: LentSlots;
  readonly tasks: TaskCache;
  readonly sender: VendorSender;
  readonly turns: Readonly<Record<Lane, LaneTurns>>;
  readonly courtesy: Courtesy;
  readonly letGo: LetGo;
  /** Marks tasks as planned, together those that come together. */
  readonly planned: Batch<ClaimedTask, PlannedMark | undefined>;
  /** Tasks that this worker is just planning, and whether something of them was closed meanwhile. */
  readonly planning: Map<bigint, { closed: boolean }>;
  /** Bulk tasks of which something was closed since the last sweep: they may be at their end. */
  readonly closedBulk: Set<bigint>;
  readonly log: Log;
}

/** A slice in hand together with its task. */
export interface Work {
  readonly slice: HeldSlice;
  readonly task: Task;
  /** This worker's monotonic clock before the write that gave it the slice. */
  readonly heldSinceMs: number;
  /** Its devices as they were read when it was made, a moment ago. */
  readonly devices?: ReadonlyMap<bigint, Device>;
}

/** Whether a holder may still begin something that takes so long, cannot be taken back, and has to be written down. */
export function isHeldFor({ settings }: WorkerContext, heldSinceMs: number, seconds: number): boolean {
  const lease = { heldSinceMs, leaseMs: settings.CARILLON_LEASE_SECONDS * 1_000 };
  return isCovered(lease, performance.now(), (seconds + LEASE_MARGIN_SECONDS) * 1_000);
}

/** Writes slices of any shard. Answers by slice; one that someone else has claimed since is absent. */
export async function writeAll(
  context: WorkerContext,
  writes: readonly SliceWrite[],
): Promise<ReadonlyMap<string, SliceWritten>> {
  const groups = byDatabase(context.truth.shards, writes, ({ held }) => held.shard);
  const written = await Promise.all([...groups].map(([db, group]) => writeSlices(db, group)));
  const rows = new Map(written.flat().map((row) => [sliceKeyText(row), row]));
  countEnded(writes.filter(({ held }) => rows.has(sliceKeyText(held))));
  await keepSent(
    context,
    writes.filter(({ held }) => !rows.has(sliceKeyText(held))),
  );
  return rows;
}

/**
 * What went out went out, whoever holds the slice by now. The statuses are the other's to decide, but the sent bits are
 * added as receipts are; the other one might never hear what we have heard.
 */
export async function keepSent(
  { truth }: WorkerContext,
  lost: readonly Pick<SliceWrite, 'held' | 'sent'>[],
): Promise<void> {
  const marks = lost
    .filter(({ sent }) => sent.includes('1'))
    .map(({ held: { taskId, shard, slice }, sent }) => ({ taskId, shard, slice, sent, received: noBits(sent.length) }));
  const groups = byDatabase(truth.shards, marks, ({ shard }) => shard);
  await Promise.all([...groups].map(([db, group]) => markSlices(db, group)));
}
