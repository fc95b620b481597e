import type { Static } from 'typebox';
import type { VendorSender } from '#src/channels/vendors/send.ts';
import { type SliceKey, sliceKeyText } from '#src/domain/slice.ts';
import type { Task } from '#src/domain/task.ts';
import type { DatabaseClock } from '#src/foundation/database-clock.ts';
import type { Log } from '#src/foundation/log.ts';
import type { Motion } from '#src/motion/motion.ts';
import { byDatabase, type Truth } from '#src/truth/database.ts';
import { type HeldSlice, type SliceWrite, type SliceWritten, writeSlices } from '#src/truth/slices.ts';
import type { Accounts } from './accounts.ts';
import type { TaskCache } from './task-cache.ts';
import type { workerSettings } from './settings.ts';

/** What every step of the work stands on. */
export interface WorkerContext {
  readonly settings: Static<typeof workerSettings>;
  readonly truth: Truth;
  readonly motion: Motion;
  readonly clock: DatabaseClock;
  readonly accounts: Accounts;
  readonly tasks: TaskCache;
  readonly sender: VendorSender;
  readonly log: Log;
}

/** A slice in hand together with its task. */
export interface Work {
  readonly slice: HeldSlice;
  readonly task: Task;
}

/** Writes slices of any shard. Answers by slice; one that someone else has claimed since is absent. */
export async function writeAll(
  { truth }: WorkerContext,
  writes: readonly SliceWrite[],
): Promise<ReadonlyMap<string, SliceWritten>> {
  const groups = byDatabase(truth.shards, writes, ({ held }) => held.shard);
  const written = await Promise.all([...groups].map(([db, group]) => writeSlices(db, group)));
  return new Map(written.flat().map((row) => [sliceKeyText(row), row]));
}

export const wasWritten = (written: ReadonlyMap<string, SliceWritten>, key: SliceKey): boolean =>
  written.has(sliceKeyText(key));
