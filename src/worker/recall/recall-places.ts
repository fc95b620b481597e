import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '#src/domain/message.ts';
import { Unavailable } from '#src/foundation/unavailable.ts';
import { byDatabase, type ShardDb } from '#src/storage/database/database.ts';
import type { DeviceKey } from '#src/storage/devices/devices.ts';
import type { TaskOfApp } from '#src/storage/ledger/statistics.ts';
import type { WorkerContext } from '../context.ts';

/** One pass over the slices of a task. */
export interface RecallPass extends TaskOfApp {
  readonly context: WorkerContext;
  readonly messageType: Message['type'];
  /** The time for the recall is over, so that all places that are left have failed. */
  readonly isLast: boolean;
  /** The end of the pass, on the monotonic clock. Other recalls then have their turn. */
  readonly endsAtMs: number;
  readonly stop: AbortSignal;
}

/** A place whose notification must be recalled. */
export interface PlaceToRecall extends DeviceKey {
  readonly index: number;
  readonly generation: number;
}

/** The result for a slice. Places that are in neither list are tried again in a later pass. */
export interface SliceRecall {
  readonly recalled: readonly number[];
  readonly failed: readonly number[];
  /** The channel cannot be used at present, so the pass does not continue with it. */
  readonly isBlocked: boolean;
}

export function remainingMs({ endsAtMs, stop }: RecallPass): number {
  return stop.aborted ? 0 : Math.max(0, endsAtMs - performance.now());
}

/** Waits, but not beyond the end of the pass. */
export async function pauseWithin(pass: RecallPass, ms: number): Promise<void> {
  const pauseMs = Math.min(ms, remainingMs(pass));
  await sleep(pauseMs, undefined, { signal: pass.stop }).catch(() => undefined);
}

/**
 * Reads rows of devices that can be in several databases. Devices in a database that is unavailable are left out of both
 * results.
 */
export async function readPlaces<Row extends { readonly deviceId: bigint }>(
  { context }: RecallPass,
  places: readonly PlaceToRecall[],
  read: (db: ShardDb, places: readonly PlaceToRecall[]) => Promise<Row[]>,
): Promise<{ readonly rows: ReadonlyMap<bigint, Row>; readonly readPlaces: readonly PlaceToRecall[] }> {
  const rows = new Map<bigint, Row>();
  const readPlaces: PlaceToRecall[] = [];
  const readGroup = async (db: ShardDb, group: readonly PlaceToRecall[]) => {
    try {
      for (const row of await read(db, group)) rows.set(row.deviceId, row);
      readPlaces.push(...group);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  };
  const groups = byDatabase(context.storage.shards, places, ({ bucket }) => bucket);
  await Promise.all([...groups].map(([db, group]) => readGroup(db, group)));
  return { rows, readPlaces };
}
